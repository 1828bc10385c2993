import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyWithin } from '@/testing/any-within';
import { filters, jobFacts } from '@/testing/queries';
import { QUEUES, TENANTS } from '@/testing/search-jobs';
import { EVERYWHERE, hasJob } from '../permissions';
import { matches } from './matches';
import { filterKey, normalise } from './normal';
import { parseQueryOrThrow } from './parse';
import { narrowedTo, withinFilter } from './within';

const anyFacts = fc
  .tuple(jobFacts, fc.constantFrom(...QUEUES, 'nobody'), fc.constantFrom(...TENANTS, 'nobody', 'c'))
  .map(([facts, queue, tenant]) => ({ ...facts, queue, tenant }));

it('is true of just the jobs that lie within', () => {
  fc.assert(
    fc.property(anyWithin, anyFacts, (within, facts) => {
      expect(matches(withinFilter(within), facts, 0)).toBe(hasJob(within, facts.queue, facts.tenant));
    }),
  );
});

it('narrows a filter to these, and leaves it in its one form', () => {
  fc.assert(
    fc.property(filters, anyWithin, anyFacts, (filter, within, facts) => {
      const narrowed = narrowedTo(normalise(filter), within);
      expect(matches(narrowed, facts, 1_000_000)).toBe(
        matches(filter, facts, 1_000_000) && hasJob(within, facts.queue, facts.tenant),
      );
      expect(filterKey(normalise(narrowed))).toBe(filterKey(narrowed));
    }),
  );
});

it('leaves a filter as it is where there is nothing to narrow', () => {
  const filter = parseQueryOrThrow('type:a');
  expect(narrowedTo(filter, undefined)).toBe(filter);
  expect(narrowedTo(filter, EVERYWHERE)).toBe(filter);
  expect(withinFilter(EVERYWHERE)).toEqual({ kind: 'all' });
});

it('nowhere has no job', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      expect(matches(withinFilter([]), facts, 0)).toBe(false);
    }),
  );
});

it('grows with queues and tenants, not with one times the other', () => {
  const tenants = Array.from({ length: 50 }, (_, i) => `t${i}`);
  const within = Array.from({ length: 50 }, (_, i) => ({ queue: `q${i}`, tenants }));
  expect(filterKey(withinFilter(within)).match(/"name"/g)).toHaveLength(100);
});
