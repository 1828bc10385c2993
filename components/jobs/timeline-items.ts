/** The history of a job as one list, the latest first. */
import type { HistoryEntry, JobDetail } from '@/lib/contract/jobs/job-schemas';

export type TimelineItem =
  | { kind: 'created'; at: number }
  | { kind: 'history'; at: number; entry: HistoryEntry }
  | { kind: 'claimed'; at: number; worker: string; leaseUntil: number }
  | { kind: 'completed'; at: number; worker: string; claimedAt: number };

/** Entries of the same time keep the order in which they were written, latest first. */
export function timelineItems(job: JobDetail): TimelineItem[] {
  const items: TimelineItem[] = [{ kind: 'created', at: job.envelope.createdAt }];
  const oldestFirst = [...job.history].sort((a, b) => a.at - b.at);
  for (const entry of oldestFirst) items.push({ kind: 'history', at: entry.at, entry });
  if (job.claim) {
    items.push({
      kind: 'claimed',
      at: job.claim.claimedAt,
      worker: job.claim.worker,
      leaseUntil: job.claim.leaseUntil,
    });
  }
  if (job.result) {
    const { worker, claimedAt, completedAt } = job.result;
    items.push({ kind: 'completed', at: completedAt, worker, claimedAt });
  }
  return items.reverse();
}
