import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EnqueueInput, enqueueSchema } from '@/lib/contract/jobs/envelope';
import { fastValidateJob } from './fast-validate-job';

const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'email.send', 'A-1_x', 'x'.repeat(100)) },
  { weight: 1, arbitrary: fc.constantFrom('', '-x', 'a b', 'a:b', 'x'.repeat(101), 'é') },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
);
const odd = fc.constantFrom<unknown>(
  undefined,
  null,
  0,
  -0,
  1.5,
  Number.NaN,
  -1001,
  1000,
  101,
  '7',
  true,
  {},
  [],
  2 ** 53,
);
const field = (good: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: odd });
const fields = {
  jobType: field(name),
  jobId: field(name),
  tenantId: field(name),
  payload: field(fc.oneof(fc.string(), fc.uint8Array({ maxLength: 5 }))),
  priority: field(fc.integer({ min: -1_010, max: 1_010 })),
  maxAttempts: field(fc.integer({ min: -1, max: 102 })),
  jobVersion: field(fc.integer({ min: -1, max: 10_001 })),
  traceParent: field(
    fc.constantFrom(
      undefined,
      `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`,
      `00-${'A'.repeat(32)}-${'0'.repeat(16)}-01`,
    ),
  ),
};
const more = {
  delayMs: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
  critical: fc.boolean(),
  nobody: fc.constantFrom(1, undefined),
};
const input = fc.oneof(
  { weight: 3, arbitrary: fc.record(fields, { requiredKeys: ['jobType'] }) },
  { weight: 1, arbitrary: fc.record({ ...fields, ...more }, { requiredKeys: [] }) },
);

describe('the quick way', () => {
  it('says yes only where the schema does, and then the same', () => {
    let quick = 0;
    fc.assert(
      fc.property(input, (job) => {
        const fast = fastValidateJob(job as unknown as EnqueueInput);
        if (fast === null) return;
        quick += 1;
        const slow = enqueueSchema.safeParse(job);
        expect(slow.success).toBe(true);
        expect(fast).toEqual(slow.data);
      }),
      { numRuns: 3_000 },
    );
    expect(quick).toBeGreaterThan(100);
  });

  it('is taken by the ordinary job', () => {
    expect(
      fastValidateJob({ jobType: 'email.send', payload: '{}', tenantId: 'acme', priority: 5 }),
    ).not.toBeNull();
    // As the client's `enqueue` makes it when nothing is traced.
    expect(
      fastValidateJob({ jobType: 'a', jobVersion: 2, payload: '1', traceParent: undefined }),
    ).not.toBeNull();
    expect(fastValidateJob(JSON.parse('{"jobType":"a","__proto__":{"x":1}}'))).toBeNull();
    expect(fastValidateJob(Object.create({ jobType: 'inherited' }))).toBeNull();
  });
});
