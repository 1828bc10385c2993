import { describe, expect, it } from 'vitest';
import type { SearchPage } from '@/lib/contract/dead';
import { arrivalsOf, arrivalWords } from './arrivals';

const page = (diedAt: readonly number[], count: number, more = false): SearchPage =>
  ({
    at: 2_000,
    jobs: diedAt.map((stateAt) => ({ stateAt })),
    nextCursor: more ? 'on' : null,
    matching: { count, exact: true },
    scan: { found: 0, scanned: 0, of: 0 },
  }) as unknown as SearchPage;
const shown = { at: 1_000, matching: { count: 10, exact: true } };
const words = (now: SearchPage) => arrivalWords(arrivalsOf(shown, now));

describe('behind a list that is held still', () => {
  it('nothing happened', () => expect(words(page([900, 800], 10))).toBeNull());
  it('some died', () => expect(words(page([1_500, 1_200, 900], 12))).toBe('2 new'));
  it('some left', () => expect(words(page([900], 7))).toBe('3 left'));
  it('some died while others left', () => expect(words(page([1_500, 900], 10))).toBe('1 new, 1 left'));
  it('more died than a page holds: nobody can tell how many left', () => {
    expect(words(page([1_900, 1_800], 500, true))).toBe('2+ new');
  });
  it('is not known to have lost any when counts are no more than lower bounds', () => {
    const now = { ...page([900], 7), matching: { count: 7, exact: false } };
    expect(words(now)).toBeNull();
  });
});
