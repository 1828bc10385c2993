import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ClaimOptions, claimOptionsSchema } from '@/lib/contract/jobs/claim-options';
import { fastClaimOptions } from './parse-claim-options';

const mixed = <T>(...values: T[]) =>
  fc.constantFrom<unknown>(...values, '', null, -1, 1.5, true, 'a b', [], {});
const anyOptions = fc.record(
  {
    worker: mixed('w-1', 'x'.repeat(100), 'x'.repeat(101)),
    count: mixed(1, 500, 501, 0),
    leaseMs: mixed(100, 99, 15_000, 86_400_001),
    nonce: mixed('abcdefgh', 'abcdefg', 'a'.repeat(33)),
    unindexed: mixed(true, false),
    woken: mixed(true, false),
    other: mixed('x'),
  },
  { requiredKeys: [] },
);

it('answers as the schema does, or leaves the answer to it', () => {
  fc.assert(
    fc.property(anyOptions, (input) => {
      const fast = fastClaimOptions(input as ClaimOptions);
      if (fast) expect(claimOptionsSchema.parse(input)).toEqual(fast);
    }),
    { numRuns: 2_000 },
  );
});

it('takes what workers and applications send', () => {
  expect(fastClaimOptions({ worker: 'w' })).toEqual(claimOptionsSchema.parse({ worker: 'w' }));
  const all = { worker: 'w', count: 3, leaseMs: 5_000, nonce: 'abcdefgh1', unindexed: true, woken: true };
  expect(fastClaimOptions(all)).toEqual(all);
});
