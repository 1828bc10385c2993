import type { QueueSnapshot } from '@/lib/contract/queue';
import type { BrokerContext } from '../context';

const FIELDS = ['enqueued', 'completed', 'failed', 'dead'] as const;
export const MINUTES_MAX = 180;

/** Per-minute counts of a queue up to `now`, oldest first. Exactly `minutes` entries, zeros included. */
export async function minuteSeries(
  ctx: BrokerContext,
  queue: string,
  now: number,
  minutes: number,
): Promise<QueueSnapshot['minutes']> {
  const last = Math.floor(now / 60_000);
  const span = Math.min(minutes, MINUTES_MAX);
  const wanted = Array.from({ length: span }, (_, i) => last - span + 1 + i);
  const values = await ctx.plain((redis) =>
    redis.hmget(
      ctx.keys.column(queue, 'minutes'),
      ...wanted.flatMap((minute) => FIELDS.map((field) => `${minute}:${field}`)),
    ),
  );
  return wanted.map((minute, i) => {
    const at = (f: number) => Number(values[i * FIELDS.length + f] ?? 0);
    return { minute, enqueued: at(0), completed: at(1), failed: at(2), dead: at(3) };
  });
}
