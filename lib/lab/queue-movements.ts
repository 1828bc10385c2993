import { readStreamTail } from '@/lib/broker/redis/bounded-reads';
import { replyPairs } from '@/lib/broker/redis/script-reply';
import { answersOrThrow, fanOut } from '@/lib/broker/shards/fan-out';
import type { ShardLayout } from '@/lib/broker/shards/shard-layout';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { Movement } from '@/lib/contract/lab/lab-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';

/** `<ms>-<n>` of one stream; of a sharded queue one a shard, with commas between, `0` where nothing was seen yet. */
/** Of one shard: far more than the events of a page have. */
const EVENTS_MAX_BYTES = 1_048_576;
const POSITION = /^(?:0|\d{1,15}-\d{1,20})(?:,(?:0|\d{1,15}-\d{1,20})){0,63}$/;

/**
 * At most `limit` latest movements after a position (`''`: from the start), oldest first. The id of the last one, without the queue's
 * name, is the next position.
 */
export async function readQueueMovements(
  ctx: ShardedContext,
  queue: string,
  after: string,
  limit: number,
): Promise<Movement[]> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  const seen = positionsIn(after);
  const answers = await fanOut(layout, (name, shard) => newest(ctx, layout, name, seen[shard] ?? '', limit));
  const parts = answersOrThrow(answers);
  const found = parts
    .flat()
    .sort((a, b) => a.at - b.at)
    .slice(-limit);
  const last = found.at(-1);
  if (layout.count === 1 || !last) return found;
  for (const { shard, value } of answers.answered) {
    const newestId = value.at(-1)?.id.split('~')[0];
    if (newestId) seen[shard] = newestId.slice(queue.length + 1);
  }
  const position = layout.names.map((_, shard) => seen[shard] || '0').join(',');
  return [...found.slice(0, -1), { ...last, id: `${queue}:${position}` }];
}

/** @throws RedriveError BAD_CURSOR */
function positionsIn(after: string): string[] {
  if (after === '') return [];
  if (POSITION.test(after)) return after.split(',').map((id) => (id === '0' ? '' : id));
  throw new RedriveError('BAD_CURSOR', 'The position was not made by this list. Leave it empty to start.', {
    fields: [{ field: 'after', message: 'is not one this list gave out' }],
  });
}

async function newest(
  ctx: ShardedContext,
  { queue, count }: ShardLayout,
  name: string,
  after: string,
  limit: number,
): Promise<Movement[]> {
  const to = after === '' ? '-' : `(${after}`;
  const range = { from: '+', to, count: limit, bytes: EVENTS_MAX_BYTES };
  const entries = (await readStreamTail(ctx, { queue: name, index: 'events' }, range)).reverse();
  return entries.flatMap(([id, fields]) => {
    if (fields.length === 0) return [];
    const map = replyPairs(fields, 'events');
    const movement = {
      // Two shards may give out the same id.
      id: count === 1 ? `${queue}:${id}` : `${queue}:${id}~${name.slice(queue.length + 1) || 0}`,
      at: Number(id.split('-')[0]),
      queue,
      event: map.get('e') ?? '',
      count: Number(map.get('n') ?? 0),
      jobIds: idsIn(map.get('ids')),
      worker: map.get('w') || null,
    };
    const claimed = map.get('claimed');
    if (claimed === undefined) return [movement];
    // An exchange of a plain queue tells both in one entry. The position is that of the second.
    return [
      { ...movement, id: `${movement.id}~completed` },
      {
        ...movement,
        event: 'claimed',
        count: Number(claimed),
        jobIds: idsIn(map.get('claimedIds')),
        worker: map.get('claimedBy') || null,
      },
    ];
  });
}

const idsIn = (text: string | undefined) => (text ?? '').split(',').filter(Boolean);
