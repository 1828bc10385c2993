// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { newRowsLabel, useWhileHeld } from './use-list-hold';

it('a list stays as it was while it is held, and is the latest after, or in another view', () => {
  const { result, rerender } = renderHook(({ held, list, view }) => useWhileHeld(held, list, view), {
    initialProps: { held: false, list: ['a'], view: '1' },
  });
  rerender({ held: true, list: ['b', 'a'], view: '1' });
  rerender({ held: true, list: ['c', 'b', 'a'], view: '1' });
  expect(result.current).toEqual(['b', 'a']);
  rerender({ held: true, list: ['z'], view: '2' });
  expect(result.current).toEqual(['z']);
  rerender({ held: false, list: ['y', 'z'], view: '2' });
  expect(result.current).toEqual(['y', 'z']);
});

it('says what the latest has', () => {
  expect(newRowsLabel(['b', 'a'], ['c', 'b'])).toBe('1 new');
  expect(newRowsLabel(['a'], ['c', 'd'])).toBe('2+ new');
  expect(newRowsLabel(['a', 'b'], ['b', 'a'])).toBe('changed');
  expect(newRowsLabel(['a', 'b'], ['a', 'b'])).toBeNull();
});
