import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairShares } from './fair-shares';

const WEIGHTS = { critical: 6, default: 3, low: 1 };

/** Serves `rounds` times `slots` jobs from the queues that have some. */
function serve(
  shares: FairShares,
  rounds: number,
  slots: number,
  busy: readonly string[],
): Record<string, number> {
  const served: Record<string, number> = {};
  for (let round = 0; round < rounds; round++)
    for (const [queue, count] of shares.allot(slots, busy)) {
      shares.charge(queue, count);
      served[queue] = (served[queue] ?? 0) + count;
    }
  return served;
}

describe('FairShares', () => {
  it.each([1, 2, 3, 7, 20])('gives 60/30/10 while all are busy, with %i free slots at a time', (slots) => {
    const rounds = 2_000;
    const served = serve(new FairShares(WEIGHTS), rounds, slots, Object.keys(WEIGHTS));
    const share = (queue: string) => (served[queue] ?? 0) / (rounds * slots);
    expect(share('critical')).toBeCloseTo(0.6, 2);
    expect(share('default')).toBeCloseTo(0.3, 2);
    expect(share('low')).toBeCloseTo(0.1, 2);
  });

  it('starves none: the lightest is served within any stretch of twelve', () => {
    const shares = new FairShares(WEIGHTS);
    const order: string[] = [];
    for (let i = 0; i < 200; i++) order.push(...Object.keys(serve(shares, 1, 1, Object.keys(WEIGHTS))));
    for (let i = 0; i + 12 <= order.length; i++) expect(order.slice(i, i + 12)).toContain('low');
  });

  it('wastes nothing on empty queues: all slots go to those that have jobs', () => {
    expect(serve(new FairShares(WEIGHTS), 100, 4, ['low'])).toEqual({ low: 400 });
  });

  it('gives no credit for idle time: a queue that wakes up does not shut the others out', () => {
    const shares = new FairShares(WEIGHTS);
    for (let i = 0; i < 1_000; i++) {
      shares.charge('low', 1);
      shares.forgo('critical');
      shares.forgo('default');
    }
    const served = serve(shares, 100, 1, Object.keys(WEIGHTS));
    expect(served.low).toBeGreaterThanOrEqual(9);
    expect(served.critical).toBeGreaterThanOrEqual(58);
  });

  it('never promises more than the free slots, and all of them while anyone has jobs', () => {
    const queues = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,8}$/),
      fc.double({ min: 0.01, max: 1_000, noNaN: true }),
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(queues, fc.integer({ min: 0, max: 100 }), (weights, slots) => {
        const total = [...new FairShares(weights).allot(slots, Object.keys(weights)).values()].reduce(
          (a, b) => a + b,
          0,
        );
        expect(total).toBe(slots);
      }),
    );
  });
});
