/** What a queue's numbers mean; pure. */
import { PAGE_LIMIT_DEFAULT } from '@/lib/contract/api-paths';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { QueueRow } from '@/lib/contract/queues/queue-schemas';

/** Some shards are unreachable and not counted. */
export const isPartial = ({ shards }: QueueRow): boolean => shards.unavailable.length > 0;

/** Whether jobs are ready, held or completed: what the breakdown is of. */
export const hasBreakdown = ({ counts }: QueueRow): boolean =>
  counts.ready + counts.held + counts.completed > 0;

/** How many jobs the first page of a list has; null: not known, as of a search. */
export const expectedRows = (queue: QueueRow | null, state: JobState, q: string): number | null =>
  queue && q === '' ? Math.min(PAGE_LIMIT_DEFAULT, queue.counts[state]) : null;

/** Warn above this share of the depth limit. */
const NEARLY_FULL = 0.9;

/** Share of the depth limit; null: too low for a warning. */
export function fullness({ depth: { jobs, limit } }: QueueRow): number | null {
  if (limit === null || jobs < limit * NEARLY_FULL) return null;
  return Math.min(1, jobs / limit);
}
