import type { Movement } from '@/lib/contract/live';
import type { BrokerContext } from '../context';

/** The latest movements of a queue after a stream id (`''`: whatever there is), oldest first, at most `limit`. */
export async function movements(
  ctx: BrokerContext,
  queue: string,
  after: string,
  limit: number,
): Promise<Movement[]> {
  const key = ctx.keys.column(queue, 'events');
  const entries = await ctx.plain(async (redis) =>
    (await redis.xrevrange(key, '+', after === '' ? '-' : `(${after}`, 'COUNT', limit)).reverse(),
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
