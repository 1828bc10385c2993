import { expect, test } from 'vitest';
import { depthOf } from './json-body';

test.each([
  ['', 0],
  ['"[[[["', 0],
  ['"\\"[["', 0],
  ['{"a":[1,{"b":[]}]}', 4],
  ['[[],[],[]]', 2],
])('%j is nested %i deep', (text, depth) => expect(depthOf(text)).toBe(depth));
test('a million levels are counted without recursion', () =>
  expect(depthOf('['.repeat(1_000_000))).toBe(1_000_000));
