/** What the numbers of a breakdown are from, in words; pure. */
import type { QueueBreakdown } from '@/lib/contract/queues/breakdown-schemas';
import { coarseDuration } from '@/lib/format/duration';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';

/** "Estimated from 500 of 12,340 ready jobs." */
export function readySourceLabel({
  ready: { total, read, exact },
  unavailable,
}: Pick<QueueBreakdown, 'ready' | 'unavailable'>): string {
  if (unavailable.length > 0) return `${count(total, 'ready job')} in the shards that can be read.`;
  if (total === 0) return 'No ready jobs.';
  return exact
    ? `All ${count(total, 'ready job')} counted.`
    : `Estimated from ${fullNumber(read)} of ${fullNumber(total)} ready jobs.`;
}

/** "Rates from 500 completed jobs of the last 42 s." */
export function completedSourceLabel({ completed }: QueueBreakdown): string {
  if (completed === null) return 'The queue keeps no completed jobs.';
  return `Rates from ${count(completed.read, 'completed job')} of the last ${coarseDuration(completed.windowMs)}.`;
}

/** "264 more are held by pauses of job types.": what the column does not add up to; null: it does. */
export function otherHeldLabel(
  { held, tenants, types }: QueueBreakdown,
  view: 'tenant' | 'type',
): string | null {
  const isTenant = view === 'tenant';
  const others = isTenant ? held.byType : held.byTenant;
  const listed = (isTenant ? tenants : types).reduce((sum, share) => sum + share.held, 0);
  const unlisted = Math.max(0, (isTenant ? held.byTenant : held.byType) - listed);
  const parts = [
    others > 0
      ? `${more(others)} held by ${isTenant ? 'pauses of job types' : 'pauses or limits of tenants'}.`
      : '',
    unlisted > 0 ? `${more(unlisted)} held that no row counts.` : '',
  ].filter(Boolean);
  return parts.length === 0 ? null : parts.join(' ');
}

const more = (jobs: number): string => `${fullNumber(jobs)} more ${jobs === 1 ? 'is' : 'are'}`;

/** "≈ 1,204": an estimate says so. */
export const readyLabel = (ready: number, exact: boolean): string =>
  exact || ready === 0 ? fullNumber(ready) : `≈ ${fullNumber(ready)}`;
