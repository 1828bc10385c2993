import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createQueueShares, FairShares, type QueueShares, StrictOrder } from './fair-shares';

const WEIGHTS = { critical: 6, default: 3, low: 1 };

/** Serves `rounds` times `slots` jobs from the queues that have some. */
function serve(
  shares: QueueShares,
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

  it('starves none: with 6, 3 and 1 the lightest is served within any ten turns', () => {
    const shares = new FairShares(WEIGHTS);
    const order: string[] = [];
    for (let i = 0; i < 200; i++) order.push(...Object.keys(serve(shares, 1, 1, Object.keys(WEIGHTS))));
    for (let i = 0; i + 10 <= order.length; i++) expect(order.slice(i, i + 10)).toContain('low');
  });

  it('wastes nothing on empty queues: all slots go to those that have jobs', () => {
    expect(serve(new FairShares(WEIGHTS), 100, 4, ['low'])).toEqual({ low: 400 });
  });

  it('gives no credit for idle time: a queue that wakes up does not shut the others out', () => {
    const shares = new FairShares(WEIGHTS);
    for (let i = 0; i < 1_000; i++) {
      shares.charge('low', 1);
      shares.skipTurn('critical');
      shares.skipTurn('default');
    }
    const served = serve(shares, 100, 1, Object.keys(WEIGHTS));
    expect(served.low).toBeGreaterThanOrEqual(9);
    expect(served.critical).toBeGreaterThanOrEqual(58);
  });

  it('finds those furthest behind among many as it would among few', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 30 }),
        fc.array(fc.tuple(fc.nat(29), fc.integer({ min: 1, max: 9 })), { maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        (weights, served, capacity) => {
          const names = weights.map((_, i) => `q-${i}`);
          const shares = new FairShares(Object.fromEntries(weights.map((weight, i) => [`q-${i}`, weight])));
          const times = weights.map(() => 0);
          for (const [nth, jobs] of served) {
            const i = nth % names.length;
            shares.charge(`q-${i}`, jobs);
            times[i] = (times[i] ?? 0) + jobs / (weights[i] ?? 1);
          }
          const expected: Record<string, number> = {};
          for (let n = 0; n < capacity; n++) {
            const earliest = Math.min(...times);
            const i = times.findIndex((time) => time < earliest + 1e-9);
            expected[`q-${i}`] = (expected[`q-${i}`] ?? 0) + 1;
            times[i] = (times[i] ?? 0) + 1 / (weights[i] ?? 1);
          }
          expect(Object.fromEntries(shares.allot(capacity, names))).toEqual(expected);
        },
      ),
    );
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

describe('starvation', () => {
  const NAMES = ['a', 'b', 'c', 'd', 'e'] as const;
  const weight = fc.oneof(
    fc.integer({ min: 1, max: 50 }),
    fc.double({ min: 0.05, max: 50, noNaN: true }),
    fc.constantFrom(1 / 3, 0.1, 1, 1, 1),
  );
  const queues = fc
    .array(weight, { minLength: 2, maxLength: NAMES.length })
    .map((weights) => weights.map((w, i) => [NAMES[i] ?? 'a', w] as const));
  /** Which queues have jobs, and for how many claims that stays so. */
  const phases = fc.array(
    fc.record({ busy: fc.subarray([...NAMES], { minLength: 1 }), claims: fc.integer({ min: 1, max: 40 }) }),
    { minLength: 1, maxLength: 8 },
  );

  it('has a bound: before the turn of a busy queue of weight w, one of weight v has at most ⌊v/w⌋ + 1', () => {
    fc.assert(
      fc.property(queues, phases, (weights, list) => {
        const shares = new FairShares(Object.fromEntries(weights));
        const weightOf = new Map<string, number>(weights);
        const total = weights.reduce((sum, [, w]) => sum + w, 0);
        /** Of each queue that is busy: the turns of each other since its own last turn, or since it became busy. */
        const waited = new Map<string, Map<string, number>>();
        for (const { busy, claims } of list) {
          for (let claim = 0; claim < claims; claim++) {
            // As the pool does: all are asked, and what has no jobs forgoes its turns.
            for (const [name] of weights) {
              if (busy.includes(name as (typeof NAMES)[number])) {
                if (!waited.has(name)) waited.set(name, new Map());
              } else {
                waited.delete(name);
                shares.skipTurn(name);
              }
            }
            const [next] = shares.allot(1, waited.keys()).keys();
            if (next === undefined) break;
            shares.charge(next, 1);
            waited.set(next, new Map());
            for (const [name, turns] of waited) {
              if (name === next) continue;
              turns.set(next, (turns.get(next) ?? 0) + 1);
              const w = weightOf.get(name) ?? 1;
              // Sums of fractions are only almost exact.
              const most = Math.floor((weightOf.get(next) ?? 1) / w + 1e-9) + 1;
              expect(turns.get(next), `${next} before ${name}`).toBeLessThanOrEqual(most);
              const all = [...turns.values()].reduce((sum, n) => sum + n, 0);
              expect(all).toBeLessThan(total / w + weights.length - 1);
            }
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is what no rule could bound by ⌈W/w⌉ for all: 3, 2 and 1 leave no sixth turn', () => {
    // The first has to have each second turn, the second one of any three: so it has all that are left.
    const patterns = Array.from({ length: 3 ** 6 }, (_, n) =>
      Array.from({ length: 6 }, (__, i) => Math.floor(n / 3 ** i) % 3),
    );
    const within = (order: number[], queue: number, turns: number) =>
      order.every((_, i) =>
        order
          .concat(order)
          .slice(i, i + turns)
          .includes(queue),
      );
    const kept = patterns.filter(
      (order) => within(order, 0, 2) && within(order, 1, 3) && within(order, 2, 6),
    );
    expect(kept).toEqual([]);
  });
});

describe('strict order', () => {
  const ORDER = ['urgent', 'normal', 'bulk'];

  it('gives all slots to the first that may have jobs, whatever the weights', () => {
    const shares = createQueueShares({ urgent: 1, normal: 50, bulk: 100 }, 'strict');
    expect(shares.allot(5, new Set(['bulk', 'normal', 'urgent']))).toEqual(new Map([['urgent', 5]]));
    expect(shares.allot(3, new Set(['bulk', 'normal']))).toEqual(new Map([['normal', 3]]));
    expect(shares.allot(3, new Set(['bulk']))).toEqual(new Map([['bulk', 3]]));
    expect(shares.allot(3, new Set())).toEqual(new Map());
    expect(shares.allot(0, new Set(ORDER))).toEqual(new Map());
  });

  it('never serves a queue while one above it has jobs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ queue: fc.constantFrom(...ORDER), jobs: fc.nat(5) }), { maxLength: 50 }),
        fc.integer({ min: 1, max: 8 }),
        (arrivals, slots) => {
          const shares = new StrictOrder(ORDER);
          const left = new Map(ORDER.map((queue) => [queue, 0]));
          for (const { queue, jobs } of arrivals) {
            left.set(queue, (left.get(queue) ?? 0) + jobs);
            const hopeful = new Set(ORDER);
            for (let free = slots; free > 0 && hopeful.size > 0; )
              for (const [next, count] of shares.allot(free, hopeful)) {
                const taken = Math.min(count, left.get(next) ?? 0);
                if (taken > 0)
                  for (const above of ORDER.slice(0, ORDER.indexOf(next))) expect(left.get(above)).toBe(0);
                left.set(next, (left.get(next) ?? 0) - taken);
                free -= taken;
                if ((left.get(next) ?? 0) === 0) hopeful.delete(next);
              }
          }
        },
      ),
    );
  });

  it('is asked for by name; weights are the default', () => {
    expect(createQueueShares({ a: 1 })).toBeInstanceOf(FairShares);
    expect(createQueueShares({ a: 1 }, 'weighted')).toBeInstanceOf(FairShares);
    expect(createQueueShares({ a: 1 }, 'strict')).toBeInstanceOf(StrictOrder);
  });
});
