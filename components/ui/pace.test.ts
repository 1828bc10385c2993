import { describe, expect, it } from 'vitest';
import { FAST, paceDraftOf, paceWords, readPace } from './pace';

describe('pace', () => {
  it('reads what a person writes', () => {
    expect(readPace(FAST).pace).toEqual({ ratePerSecond: null, keepReadyBelow: null });
    expect(readPace({ ...FAST, mode: 'rate', rate: '600/min' }).pace).toEqual({
      ratePerSecond: 10,
      keepReadyBelow: null,
    });
    expect(readPace({ ...FAST, mode: 'drain', below: '1 000' }).pace).toEqual({
      ratePerSecond: null,
      keepReadyBelow: 1_000,
    });
  });
  it.each([
    { mode: 'rate', rate: '0' },
    { mode: 'rate', rate: 'fast' },
    { mode: 'rate', rate: '100001' },
    { mode: 'drain', below: '0' },
    { mode: 'drain', below: '1.5' },
    { mode: 'drain', below: '' },
  ] as const)('refuses %o with a sentence', (draft) => {
    const { pace, error } = readPace({ ...FAST, ...draft });
    expect(pace).toBeNull();
    expect(error).toMatch(/^Give a .*\.$/);
  });
  it.each([
    { ratePerSecond: null, keepReadyBelow: null },
    { ratePerSecond: 2.5, keepReadyBelow: null },
    { ratePerSecond: null, keepReadyBelow: 500 },
  ])('goes there and back: %o', (pace) => expect(readPace(paceDraftOf(pace)).pace).toEqual(pace));
  it('says it in words', () => {
    expect(paceWords({ ratePerSecond: null, keepReadyBelow: null })).toBe('as fast as Redis takes it');
    expect(paceWords({ ratePerSecond: 50, keepReadyBelow: 1_000 })).toBe(
      'at most 50/s, while fewer than 1,000 are ready',
    );
  });
});
