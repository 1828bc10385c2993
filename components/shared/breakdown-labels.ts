/** What the numbers of a breakdown are from, in words; pure. */
import type { QueueBreakdown } from '@/lib/contract/queues/breakdown-schemas';
import { coarseDuration } from '@/lib/format/duration';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';

/** "Estimated from 500 of 12,340 ready jobs." */
export function readySourceLabel({ ready: { total, read, exact } }: QueueBreakdown): string {
  if (total === 0) return 'No ready jobs.';
  return exact
    ? `All ${count(total, 'ready job')} counted.`
    : `Estimated from ${fullNumber(read)} of ${fullNumber(total)} ready jobs.`;
}

/** "Rates and p95 from the latest 500 completed jobs, over 42 s." */
export function completedSourceLabel({ completed }: QueueBreakdown): string {
  if (completed === null) return 'The queue keeps no completed jobs.';
  return `Rates and p95 from the latest ${count(completed.read, 'completed job')}, over ${coarseDuration(completed.windowMs)}.`;
}

/** "≈ 1,204": an estimate says so. */
export const readyLabel = (ready: number, exact: boolean): string =>
  exact || ready === 0 ? fullNumber(ready) : `≈ ${fullNumber(ready)}`;
