import { expect, it } from 'vitest';
import { createSelector } from './bounded-selectors.mjs';

/** Counts how often the selector computes. */
function counted() {
  let computed = 0;
  const select = createSelector(
    [(state: { from: number }) => state.from, (_: object, to: number) => to],
    (from: number, to: number) => {
      computed += 1;
      return [from, to];
    },
  ) as (state: { from: number }, to: number) => number[];
  return { select, computed: () => computed };
}

it('computes once for the same arguments, of several in turn', () => {
  const { select, computed } = counted();
  const state = { from: 1 };
  const first = select(state, 2);
  expect(select(state, 3)).toEqual([1, 3]);
  expect(select(state, 2)).toBe(first);
  expect(select({ from: 1 }, 2)).toBe(first);
  expect(computed()).toBe(2);
});

it('forgets after a hundred results, and computes the same again', () => {
  const { select, computed } = counted();
  const first = select({ from: 0 }, 0);
  for (let from = 1; from <= 150; from += 1) expect(select({ from }, 0)).toEqual([from, 0]);
  expect(computed()).toBe(151);
  expect(select({ from: 0 }, 0)).toEqual(first);
  expect(computed()).toBe(152);
});
