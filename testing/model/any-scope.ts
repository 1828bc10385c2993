/** Anywhere somebody may be let look: over the queues and tenants of search-jobs.ts, and some that nobody has. */
import fc from 'fast-check';
import type { AccessScope, QueueScope } from '@/lib/contract/access/grant-scopes';
import { QUEUES, TENANTS } from './search-jobs';

const anyArea: fc.Arbitrary<QueueScope> = fc.record({
  queue: fc.constantFrom(...QUEUES, 'ma*', 'mail*', 'mail-*', 'p*', 'nobody', 'nobody*', '*'),
  tenants: fc.option(
    fc.uniqueArray(fc.constantFrom(...TENANTS, 'nobody', 'a-'), { minLength: 1, maxLength: 5 }),
    { nil: null },
  ),
});

export const anyWithin: fc.Arbitrary<AccessScope> = fc.array(anyArea, { maxLength: 4 });
