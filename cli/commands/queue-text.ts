/** What `redrive queues show` and the commands of pauses print. Pure. */
import type { Pause } from '@/lib/contract/queues/pause-schemas';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { isoDateTime } from '@/lib/format/date-time';
import { duration } from '@/lib/format/duration';
import { fullNumber } from '@/lib/format/number';
import { factsText, tableText } from '../terminal/print-table';

const NEVER = 'never';

/** The pauses of a queue, or the sentence for none. */
export const pausesText = (queue: string, pauses: readonly Pause[]): string =>
  tableText(
    ['PAUSED', 'BY', 'SINCE', 'UNTIL', 'REASON'],
    pauses.map(({ scope, actor, since, until, reason }) => [
      scope,
      actor,
      isoDateTime(since),
      until === null ? 'resumed' : isoDateTime(until),
      reason,
    ]),
    `Nothing of ${queue} is paused.`,
  );

/** When the ready jobs are gone; a time stands only where it is known. */
export function drainText({
  counts,
  drain,
  workers,
  pauses,
}: Pick<QueueSnapshot, 'counts' | 'drain' | 'workers' | 'pauses'>): string {
  if (counts.ready === 0) return 'nothing to drain';
  if (pauses.some(({ scope }) => scope === 'queue')) return `${NEVER}: the queue is paused`;
  if (workers === 0) return `${NEVER}: no worker listens`;
  if (drain === null) return 'not known yet';
  if (drain.ms !== null) return `${duration(drain.ms)}, ${drain.trend}`;
  return drain.trend === 'shrinking'
    ? 'not known yet: the backlog is shrinking'
    : `${NEVER}: the backlog is ${drain.trend}`;
}

const depthText = ({ depth: { jobs, limit } }: QueueSnapshot): string =>
  `${fullNumber(jobs)} of ${limit === null ? 'any number' : `at most ${fullNumber(limit)}`}`;

const shardsText = ({ shards: { count, unavailable } }: QueueSnapshot): string =>
  unavailable.length === 0
    ? fullNumber(count)
    : `${fullNumber(count)}, unavailable: ${unavailable.join(', ')} (the numbers are those of the others)`;

/** Every number of a queue, then its pauses. */
export function queueText(row: QueueSnapshot): string {
  const facts = factsText([
    ['queue', row.queue],
    ['state', row.level],
    ...Object.entries(row.counts),
    ['deleted', row.ledger.deleted],
    ['enqueued', row.ledger.enqueued],
    ['difference', row.ledger.difference],
    ['depth', depthText(row)],
    ['oldest ready', duration(row.oldestReadyAgeMs)],
    ['oldest dead expires', isoDateTime(row.deadExpireAt) ?? NEVER],
    ['arrival per second', row.rates.arrivalPerSecond],
    ['completed per second', row.rates.completedPerSecond],
    ['time to drain', drainText(row)],
    ['run time p95', duration(row.runTimeP95Ms)],
    ['workers', row.workers],
    ['shards', shardsText(row)],
    ['paused', row.pauses.map(({ scope }) => scope).join(', ') || 'no'],
    ['draining', row.draining ? 'yes' : 'no'],
  ]);
  return row.pauses.length === 0 ? facts : `${facts}\n\n${pausesText(row.queue, row.pauses)}`;
}
