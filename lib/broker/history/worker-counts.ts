/** Live workers of each queue: an entry in its `workerCounts` where the number changed, written by the console that folds the minute. */
import { HISTORY_KEPT_MS } from '@/lib/contract/history/history-ranges';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { parseStreamEntries, readStreamTail, type StreamEntry } from '../redis/bounded-reads';
import type { BrokerContext } from '../redis/broker-context';
import { evalMany } from '../redis/run-pipelines';
import type { Steps } from './merge-rows';

const MINUTES_KEPT = HISTORY_KEPT_MS / 60_000;
/** The newest: workers may come and go all the time. */
const ENTRIES_MAX = 500;
/** An entry has some ten bytes. */
const COUNTS_MAX_BYTES = 131_072;
const QUEUES_PER_TURN = 500;

type Count = { readonly minute: number; readonly workers: number };

/** @param live the workers that live at the end of `minute`. A queue that never had one gets no entry. */
export async function addWorkerCounts(
  ctx: BrokerContext,
  queues: readonly string[],
  live: readonly Pick<Worker, 'queues'>[],
  minute: number,
): Promise<void> {
  const counts = new Map<string, number>();
  for (const worker of live)
    for (const queue of Object.keys(worker.queues)) counts.set(queue, (counts.get(queue) ?? 0) + 1);
  for (let i = 0; i < queues.length; i += QUEUES_PER_TURN) {
    const part = queues.slice(i, i + QUEUES_PER_TURN);
    const args = ['+', '-', 1, COUNTS_MAX_BYTES];
    const replies = await evalMany(
      ctx,
      part.map((queue) => ({ script: 'stream-tail' as const, queue, index: 'workerCounts' as const, args })),
    );
    const calls = part.flatMap((queue, at) => {
      const reply = replies[at];
      // What cannot be read now is counted a minute later.
      if (reply?.status !== 'fulfilled') return [];
      const workers = counts.get(queue) ?? 0;
      if (workers === (countsOf(parseStreamEntries(reply.value))[0]?.workers ?? 0)) return [];
      const args = [minute, workers, Math.max(0, minute - MINUTES_KEPT), ENTRIES_MAX];
      return [{ script: 'workers-add' as const, queue, args }];
    });
    for (const outcome of await evalMany(ctx, calls)) if (outcome.status === 'rejected') throw outcome.reason;
  }
}

/** The number known at the end of each step; null before the first entry. */
export async function readWorkerCounts(
  ctx: BrokerContext,
  queue: string,
  { from, to, step }: Steps,
): Promise<(number | null)[]> {
  if (to <= from) return [];
  const read = (first: string, last: string, count: number) =>
    readStreamTail(
      ctx,
      { queue, index: 'workerCounts' },
      { from: last, to: first, count, bytes: COUNTS_MAX_BYTES },
    );
  const [before, later] = await Promise.all([
    // No id is less than 0, and Redis refuses to read one.
    from > 0 ? read('-', String(from - 1), 1) : [],
    read(String(from), String(to - 1), ENTRIES_MAX),
  ]);
  const counts = countsOf([...before, ...later.reverse()]);
  let [at, last]: [number, number | null] = [0, null];
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => {
    for (; (counts[at]?.minute ?? to) < from + (i + 1) * step; at++) last = counts[at]?.workers ?? last;
    return last;
  });
}

const countsOf = (entries: readonly StreamEntry[]): Count[] =>
  entries.map(([id, [, workers]]) => ({ minute: Number.parseInt(id, 10), workers: Number(workers) }));
