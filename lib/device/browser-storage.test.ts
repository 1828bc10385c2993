// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { readStored, readStoredJson, writeStored } from './browser-storage';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});

it('keeps text for all tabs or for one, and forgets it', () => {
  expect(writeStored('local', 'a', '{"b":1}')).toBe(true);
  expect(readStored('local', 'a')).toBe('{"b":1}');
  expect(readStoredJson('local', 'a')).toEqual({ b: 1 });
  expect(readStored('session', 'a')).toBeNull();
  writeStored('local', 'a', null);
  expect(readStored('local', 'a')).toBeNull();
});

it('reads nothing where something else was stored', () => {
  localStorage.setItem('a', 'no JSON');
  expect(readStoredJson('local', 'a')).toBeNull();
});

it.each([
  ['throws', () => vi.spyOn(window, 'localStorage', 'get').mockImplementation(blocked)],
  ['is absent', () => vi.spyOn(window, 'localStorage', 'get').mockReturnValue(null as never)],
])('says that nothing is kept where storage %s', (_, block) => {
  block();
  expect(readStored('local', 'a')).toBeNull();
  expect(readStoredJson('local', 'a')).toBeNull();
  expect(writeStored('local', 'a', 'b')).toBe(false);
  expect(writeStored('local', 'a', null)).toBe(false);
});

function blocked(): never {
  throw new DOMException('Access is denied for this document.', 'SecurityError');
}
