import type { Movement } from '@/lib/contract/live';
import type { BrokerContext } from '../context';

/** Movements of a queue after a stream id (`''`: the latest), oldest first, at most `limit`. */
export async function movements(
  ctx: BrokerContext,
  queue: string,
  after: string,
  limit: number,
): Promise<Movement[]> {
  const key = ctx.keys.column(queue, 'events');
  const entries = await ctx.plain(async (redis) =>
    after === ''
      ? (await redis.xrevrange(key, '+', '-', 'COUNT', limit)).reverse()
      : redis.xrange(key, `(${after}`, '+', 'COUNT', limit),
  );
  return entries.map(([id, fields]) => {
    const map = new Map<string, string>();
    for (let i = 0; i + 1 < fields.length; i += 2) map.set(fields[i] ?? '', fields[i + 1] ?? '');
    return {
      id: `${queue}:${id}`,
      at: Number(id.split('-')[0]),
      queue,
      event: map.get('e') ?? '',
      count: Number(map.get('n') ?? 0),
      jobIds: (map.get('ids') ?? '').split(',').filter(Boolean),
      worker: map.get('w') || null,
    };
  });
}
