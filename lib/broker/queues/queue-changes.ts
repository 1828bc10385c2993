/** What users changed about a queue, newest first. Written by the scripts that made the changes. */
import type { QueueChange } from '@/lib/contract/queues/queue-config';
import { parseHistoryFields } from '../access/actor';
import { readStreamTail } from '../redis/bounded-reads';
import type { BrokerContext } from '../redis/broker-context';
import { replyPairs } from '../redis/script-reply';
import { fanOut } from '../shards/fan-out';
import type { ShardedContext } from '../shards/sharded-context';

export const CHANGES_MAX = 200;
/** What the script lets stand, and somewhat more: see lua/maintenance/change_shares.lua. */
const RECORD_MAX = 1_300;
/** Of one shard: a change has some hundred bytes. */
const CHANGES_MAX_BYTES = 4_194_304;
const SETTINGS: ReadonlySet<string> = new Set(['config', 'sharding']);

/** The first shard keeps the record; the others add what operations did in them. @throws when a shard does not answer */
export async function readQueueChanges(
  ctx: ShardedContext,
  queue: string,
  limit: number,
): Promise<QueueChange[]> {
  const layout = await ctx.shards.of(queue);
  const { answered, failed } = await fanOut(layout, (name) => changesIn(ctx, name, limit));
  if (failed[0]) throw failed[0].error;
  const [only] = answered;
  if (only && layout.count === 1) return only.value;
  return answered
    .flatMap(({ shard, value }) => value.flatMap((change) => inShard(change, shard)))
    .sort((a, b) => b.at - a.at)
    .slice(0, Math.min(limit, CHANGES_MAX));
}

function inShard(change: QueueChange, shard: number): QueueChange[] {
  if (change.what !== 'operation') return shard === 0 ? [change] : [];
  return [{ ...change, id: `${change.id}@${shard}`, after: `${change.after ?? ''} (shard ${shard})` }];
}

/** The newest ones; and of those behind them changes of settings and sharding, up to a quarter: what others do often does not hide these. */
async function changesIn(ctx: BrokerContext, name: string, limit: number): Promise<QueueChange[]> {
  const most = Math.min(limit, CHANGES_MAX);
  const newest = await readChanges(ctx, name, '+', most);
  const last = newest.at(-1);
  if (newest.length < most || !last) return newest;
  const older = await readChanges(ctx, name, `(${last.id}`, RECORD_MAX);
  const settings = older.filter(({ what }) => SETTINGS.has(what)).slice(0, Math.floor(most / 4));
  return [...newest.slice(0, most - settings.length), ...settings];
}

async function readChanges(
  ctx: BrokerContext,
  name: string,
  from: string,
  count: number,
): Promise<QueueChange[]> {
  const range = { from, to: '-', count, bytes: CHANGES_MAX_BYTES };
  const entries = await readStreamTail(ctx, { queue: name, index: 'changes' }, range);
  return entries.flatMap(([id, flat]) => {
    if (flat.length === 0) return [];
    const fields = replyPairs(flat, 'changes');
    const by = parseHistoryFields(fields.get('by') ?? '');
    const change: QueueChange = {
      id,
      at: Number(fields.get('at') ?? 0),
      what: fields.get('what') ?? '',
      actor: by.actor ?? 'unknown',
      reason: by.reason ?? null,
      requestId: by.requestId ?? null,
      before: fields.get('before') || null,
      after: fields.get('after') || null,
    };
    return [change];
  });
}
