/** Live workers of each queue: an entry in its `workerCounts` where the number changed, written by the console that folds the minute. */
import { HISTORY_KEPT_MS } from '@/lib/contract/history/history-ranges';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import type { BrokerContext } from '../redis/broker-context';
import { evalMany, runPipelines } from '../redis/run-pipelines';
import type { Steps } from './merge-rows';

const MINUTES_KEPT = HISTORY_KEPT_MS / 60_000;
/** The newest: workers may come and go all the time. */
const ENTRIES_MAX = 500;
const QUEUES_PER_TURN = 500;

type Entry = readonly [id: string, fields: readonly string[]];
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
    const replies = await runPipelines(ctx, part.map(keyOf(ctx)), (pipeline, key) => {
      pipeline.xrevrange(key, '+', '-', 'COUNT', 1);
    });
    const calls = part.flatMap((queue, at) => {
      const reply = replies[at];
      // What cannot be read now is counted a minute later.
      if (!Array.isArray(reply)) return [];
      const workers = counts.get(queue) ?? 0;
      if (workers === (countsOf(reply as Entry[])[0]?.workers ?? 0)) return [];
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
  const key = keyOf(ctx)(queue);
  const [before, later] = await ctx.plain((redis) =>
    Promise.all([
      // No id is less than 0, and Redis refuses to read one.
      from > 0 ? redis.xrevrange(key, String(from - 1), '-', 'COUNT', 1) : [],
      redis.xrange(key, String(from), String(to - 1)),
    ]),
  );
  const counts = countsOf([...before, ...later]);
  let [at, last]: [number, number | null] = [0, null];
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => {
    for (; (counts[at]?.minute ?? to) < from + (i + 1) * step; at++) last = counts[at]?.workers ?? last;
    return last;
  });
}

/** The first shard of a queue has its name, however many shards there are. */
const keyOf = (ctx: BrokerContext) => (queue: string) => ctx.keys.column(queue, 'workerCounts');

const countsOf = (entries: readonly Entry[]): Count[] =>
  entries.map(([id, [, workers]]) => ({ minute: Number.parseInt(id, 10), workers: Number(workers) }));
