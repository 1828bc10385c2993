/**
 * The broker as a request may use it. Every verb asks first whether the principal may do this, to each queue, tenant and job it is
 * about; what lists is narrowed to what they may see. Nothing under app/ gets at the broker by another way.
 */
import { guardedAudit } from './audit';
import type { Caller } from './caller';
import { guardedClaims } from './claims';
import { guardedDead } from './dead';
import { guardedJobs } from './jobs';
import { guardedLab } from './lab';
import { guardedLive } from './live';
import { guardedOperations } from './operations';
import { guardedQueues } from './queues';
import { guardedSchedules } from './schedules';
import { guardedSearches } from './searches';
import { guardedUnmask } from './unmask';

export const guarded = (caller: Caller) => ({
  live: guardedLive(caller),
  queues: guardedQueues(caller),
  jobs: guardedJobs(caller),
  claims: guardedClaims(caller),
  dead: guardedDead(caller),
  searches: guardedSearches(caller),
  operations: guardedOperations(caller),
  schedules: guardedSchedules(caller),
  unmask: guardedUnmask(caller),
  lab: guardedLab(caller),
  audit: guardedAudit(caller),
});
export type GuardedBroker = ReturnType<typeof guarded>;
