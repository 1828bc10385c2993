import type { MinuteCounts } from '@/lib/contract/queues/queue-schemas';
import { readFields } from '../redis/bounded-reads';
import { answersOrThrow, fanOut } from '../shards/fan-out';
import type { ShardedContext } from '../shards/sharded-context';

const FIELDS = ['enqueued', 'completed', 'failed', 'dead'] as const;
export const MINUTES_MAX = 180;
/** A number has at most 16 digits. */
const COUNTS = { eachBytes: 20, allBytes: 20_000 };

/** Counts of the last `minutes` minutes up to `now`, oldest first, zeros included. Shards that cannot be read are missing from the sums. */
export async function readMinuteCounts(
  ctx: ShardedContext,
  queue: string,
  now: number,
  minutes: number,
): Promise<MinuteCounts[]> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  const last = Math.floor(now / 60_000);
  const span = Math.min(minutes, MINUTES_MAX);
  const wanted = Array.from({ length: span }, (_, i) => last - span + 1 + i);
  const fields = wanted.flatMap((minute) => FIELDS.map((field) => `${minute}:${field}`));
  const answers = await fanOut(layout, (name) =>
    readFields(ctx, { queue: name, index: 'minutes' }, fields, COUNTS),
  );
  const parts = answersOrThrow(answers);
  return wanted.map((minute, i) => {
    const at = (f: number) =>
      parts.reduce((sum, values) => sum + Number(values[i * FIELDS.length + f] ?? 0), 0);
    return { minute, enqueued: at(0), completed: at(1), failed: at(2), dead: at(3) };
  });
}
