import type { QueueSnapshot } from '@/lib/contract/queue';
import { fanOut, someOf } from '../sharded/fan-out';
import type { ShardedContext } from '../shards';

const FIELDS = ['enqueued', 'completed', 'failed', 'dead'] as const;
export const MINUTES_MAX = 180;

/**
 * Per-minute counts of a queue up to `now`, oldest first. Exactly `minutes` entries, zeros included. Of a sharded queue the
 * sums of those shards that can be read; the snapshot says which cannot.
 */
export async function minuteSeries(
  ctx: ShardedContext,
  queue: string,
  now: number,
  minutes: number,
): Promise<QueueSnapshot['minutes']> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  const last = Math.floor(now / 60_000);
  const span = Math.min(minutes, MINUTES_MAX);
  const wanted = Array.from({ length: span }, (_, i) => last - span + 1 + i);
  const fields = wanted.flatMap((minute) => FIELDS.map((field) => `${minute}:${field}`));
  const answers = await fanOut(layout, (name) =>
    ctx.plain((redis) => redis.hmget(ctx.keys.column(name, 'minutes'), ...fields)),
  );
  const parts = someOf(answers);
  return wanted.map((minute, i) => {
    const at = (f: number) =>
      parts.reduce((sum, values) => sum + Number(values[i * FIELDS.length + f] ?? 0), 0);
    return { minute, enqueued: at(0), completed: at(1), failed: at(2), dead: at(3) };
  });
}
