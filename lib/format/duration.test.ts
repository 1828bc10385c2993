import { expect, it } from 'vitest';
import { coarseDuration, duration } from './duration';

it.each([
  [null, '–'],
  [undefined, '–'],
  [Number.NaN, '–'],
  [Number.POSITIVE_INFINITY, '–'],
  [0, '0 ms'],
  [-0.2, '0 ms'],
  [0.4, '<1 ms'],
  [840, '840 ms'],
  [999.6, '1.0 s'],
  [4_200, '4.2 s'],
  [9_960, '10 s'],
  [59_400, '59 s'],
  [59_990, '1 m'],
  [192_000, '3 m 12 s'],
  [3_599_900, '1 h'],
  [7_500_000, '2 h 5 m'],
  [86_399_999, '1 d'],
  [360_000_000, '4 d 4 h'],
  [1e13, '115,740 d 17 h'],
  [-4_200, '-4.2 s'],
])('duration(%s) → %s', (ms, text) => expect(duration(ms)).toBe(text));

it.each([
  [null, '–'],
  [0, '0 s'],
  [999, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 m'],
  [3_600_000, '1 h'],
  [172_800_000, '2 d'],
  [-61_000, '-1 m'],
])('coarse(%s) → %s', (ms, text) => expect(coarseDuration(ms)).toBe(text));
