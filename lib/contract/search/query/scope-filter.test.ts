import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FULL_SCOPE, scopeHasJob } from '@/lib/contract/access/grant-scopes';
import { anyWithin } from '@/testing/model/any-scope';
import { filters, jobFacts } from '@/testing/model/random-queries';
import { QUEUES, TENANTS } from '@/testing/model/search-jobs';
import { matches } from './matcher';
import { filterKey, normalise } from './normalise-filter';
import { parseQueryOrThrow } from './parse-query';
import { filterInScope, scopeAsFilter } from './scope-filter';

const anyFacts = fc
  .tuple(jobFacts, fc.constantFrom(...QUEUES, 'nobody'), fc.constantFrom(...TENANTS, 'nobody', 'c'))
  .map(([facts, queue, tenant]) => ({ ...facts, queue, tenant }));

it('is true of just the jobs that lie within', () => {
  fc.assert(
    fc.property(anyWithin, anyFacts, (within, facts) => {
      expect(matches(scopeAsFilter(within), facts, 0)).toBe(scopeHasJob(within, facts.queue, facts.tenant));
    }),
  );
});

it('narrows a filter to these, and leaves it in its one form', () => {
  fc.assert(
    fc.property(filters, anyWithin, anyFacts, (filter, within, facts) => {
      const narrowed = filterInScope(normalise(filter), within);
      expect(matches(narrowed, facts, 1_000_000)).toBe(
        matches(filter, facts, 1_000_000) && scopeHasJob(within, facts.queue, facts.tenant),
      );
      expect(filterKey(normalise(narrowed))).toBe(filterKey(narrowed));
    }),
  );
});

it('leaves a filter as it is where there is nothing to narrow', () => {
  const filter = parseQueryOrThrow('type:a');
  expect(filterInScope(filter, undefined)).toBe(filter);
  expect(filterInScope(filter, FULL_SCOPE)).toBe(filter);
  expect(scopeAsFilter(FULL_SCOPE)).toEqual({ kind: 'all' });
});

it('nowhere has no job', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      expect(matches(scopeAsFilter([]), facts, 0)).toBe(false);
    }),
  );
});

it('grows with queues and tenants, not with one times the other', () => {
  const tenants = Array.from({ length: 50 }, (_, i) => `t${i}`);
  const within = Array.from({ length: 50 }, (_, i) => ({ queue: `q${i}`, tenants }));
  expect(filterKey(scopeAsFilter(within)).match(/"name"/g)).toHaveLength(100);
});
