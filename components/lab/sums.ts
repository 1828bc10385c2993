/** The lab's queues added up. */
import { LAB_QUEUES } from '@/lib/contract/lab';
import type { Ledger, Overview, QueueSnapshot, Totals } from '@/lib/contract/queue';
import type { Counts } from '@/lib/contract/states';

export interface LabSums {
  queues: readonly QueueSnapshot[];
  counts: Counts;
  totals: Totals;
  ledger: Ledger;
}

const add = <T extends Record<string, number>>(rows: readonly T[], zero: T): T => {
  const sum: Record<string, number> = { ...zero };
  for (const row of rows) for (const [key, value] of Object.entries(row)) sum[key] = (sum[key] ?? 0) + value;
  return sum as T;
};

const NO_COUNTS: Counts = {
  ready: 0,
  'in-flight': 0,
  scheduled: 0,
  retry: 0,
  held: 0,
  completed: 0,
  dead: 0,
  suppressed: 0,
  trashed: 0,
};
const NO_TOTALS: Totals = {
  enqueued: 0,
  deleted: 0,
  claimed: 0,
  completed: 0,
  failed: 0,
  retried: 0,
  dead: 0,
  reclaimed: 0,
  released: 0,
  redriven: 0,
  duplicates: 0,
};

export function labSums(overview: Overview | null | undefined): LabSums {
  const queues = (overview?.queues ?? []).filter((queue) => queue.queue in LAB_QUEUES);
  return {
    queues,
    counts: add(
      queues.map((queue) => queue.counts),
      NO_COUNTS,
    ),
    totals: add(
      queues.map((queue) => queue.totals),
      NO_TOTALS,
    ),
    ledger: add(
      queues.map((queue) => queue.ledger),
      { enqueued: 0, inStates: 0, deleted: 0, difference: 0 },
    ),
  };
}
