/** Where a reference is known: which shards have it as the id of a job, as a uniqueness key, or as an idempotency key. */
import { NAME_PATTERN } from '@/lib/contract/name-pattern';
import { ReadShare } from '@/lib/process/read-share';
import { toRedriveError } from '../../redis/redis-errors';
import type { Column } from '../../redis/redis-keys';
import { runPipelines } from '../../redis/run-pipelines';
import { replyList, replyText } from '../../redis/script-reply';
import { isCluster } from '../../redis/server-check';
import { countQueues, readQueueNames } from '../../shards/queue-registry';
import { firstShardsOf, type ShardRef, shardRefsOf } from '../../shards/shard-ref';
import type { ShardedContext } from '../../shards/sharded-context';
import { shardsWithColumn } from '../../shards/shards-with-jobs';
import { damagedQueues, keyedQueues, sweepQueues } from './sweep-queues';

const COLUMNS = ['jobs', 'unique', 'idempotency'] as const;
const SHARDS_A_LOOK = 500;
/** Of more, one command tells for hundreds of queues which may have it. */
const QUEUES_LOOKED_INTO = 500;
/** With jobs; of more, the last shards of each queue are left out. */
const SHARDS_MAX = 100_000;

export interface Look {
  readonly shard: ShardRef;
  /** Null: the shard could not be read. */
  readonly hasId: boolean | null;
  /** Job that holds the uniqueness key; empty: none. */
  readonly owner: string;
  /** Jobs that came in with it as their idempotency key, the newest first; some may be gone. */
  readonly keyed: readonly string[];
}

/**
 * Looks at all shards in scope. Of thousands most cannot have it: it looks into those only that may.
 * @param inScope leaves out names of queues
 * @param at now, by the clock of Redis
 */
export async function lookForReference(
  ctx: ShardedContext,
  inScope: (queues: readonly string[]) => readonly string[],
  reference: string,
  at: number,
): Promise<{ looks: Look[]; unasked: number }> {
  const likely = await likelyShards(ctx, inScope, reference, at);
  const all = likely ?? (await shardRefsOf(ctx, inScope(await readQueueNames(ctx))));
  const holding = await shardsWithColumn(ctx, all, 'jobs');
  const shards = firstShardsOf(holding, SHARDS_MAX);
  const looks = await (isCluster(ctx.redis) ? lookByNode : lookByScript)(ctx, shards, reference);
  return { looks, unasked: holding.length - shards.length };
}

/** Null: the queues are few, or Redis does not tell by one command which queues may have it. */
async function likelyShards(
  ctx: ShardedContext,
  inScope: (queues: readonly string[]) => readonly string[],
  reference: string,
  at: number,
): Promise<readonly ShardRef[] | null> {
  if (isCluster(ctx.redis) || (await countQueues(ctx)) <= QUEUES_LOOKED_INTO) return null;
  const firsts = async () =>
    (await readQueueNames(ctx)).map((name): ShardRef => ({ queue: name, shard: 0, name }));
  const keyed = await keyedQueues(ctx, at, async () => {
    const all = await firsts();
    const [unique, idempotency] = [
      await shardsWithColumn(ctx, all, 'unique'),
      await shardsWithColumn(ctx, all, 'idempotency'),
    ];
    return [...unique, ...idempotency].map(({ queue }) => queue);
  });
  const isFew = keyed.names.size <= QUEUES_LOOKED_INTO;
  const { byKey, byId } = patternsOf(ctx, reference);
  const withKey = await sweepQueues(ctx, byKey, isFew ? keyed.since : undefined);
  const withId = byId.length === 0 ? new Set<string>() : await sweepQueues(ctx, byId);
  if (withKey === null || withId === null) return null;
  const damaged = await damagedQueues(ctx, async () => {
    const looks = await lookByScript(ctx, await firsts(), reference);
    return looks.filter(({ hasId }) => hasId === null).map(({ shard }) => shard.queue);
  });
  const first = new Set([...withKey, ...withId, ...damaged, ...(isFew ? keyed.names : [])]);
  // Reads the record of sharded queues where it is old.
  await ctx.shards.of('any');
  // The command looks at first shards: of a queue that has more, the others may have it as well.
  const queues = new Set([...first, ...ctx.shards.record().keys()]);
  const shards = await shardRefsOf(ctx, inScope([...queues].sort()));
  return shards.filter(({ queue, shard }) => shard > 0 || first.has(queue));
}

/** What SORT reads of each queue: a field of a hash, with `*` for the name. */
function patternsOf(ctx: ShardedContext, reference: string): { byKey: string[]; byId: string[] } {
  const pattern = (column: Column, field: string) =>
    `${ctx.keys.column('x', column).replace('{x}', '{*}')}->${field}`;
  return {
    byKey: [pattern('unique', reference), pattern('idempotency', asInRow(reference))],
    byId: NAME_PATTERN.test(reference) ? [pattern('jobs', reference)] : [],
  };
}

/** One call for many shards: thousands of commands in a pipeline would take several times as long. */
async function lookByScript(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  reference: string,
): Promise<Look[]> {
  const parts = Array.from({ length: Math.ceil(shards.length / SHARDS_A_LOOK) }, (_, i) =>
    shards.slice(i * SHARDS_A_LOOK, (i + 1) * SHARDS_A_LOOK),
  );
  const looks: Look[] = [];
  // A key of another type fails a script: plain reads then tell which shard has it.
  for (const part of parts)
    looks.push(
      ...(await lookAtPart(ctx, part, reference).catch(() => {
        ReadShare.current()?.signal.throwIfAborted();
        return lookByNode(ctx, part, reference);
      })),
    );
  return looks;
}

async function lookAtPart(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  reference: string,
): Promise<Look[]> {
  const keys = shards.flatMap(({ name }) => COLUMNS.map((column) => ctx.keys.column(name, column)));
  const args = [reference, NAME_PATTERN.test(reference) ? 1 : 0, asInRow(reference)];
  const reply = replyList(await ctx.run('reference-lookup', null, args, { keys }), 'reference-lookup');
  return Array.from({ length: Math.floor(reply.length / 4) }, (_, i): Look[] => {
    const [number, hasId, owner, ids] = reply.slice(i * 4, i * 4 + 4);
    const shard = shards[Number(number)];
    return shard
      ? [{ shard, hasId: hasId === 1, owner: replyText(owner), keyed: idsOf(replyText(ids)) }]
      : [];
  }).flat();
}

/** Rows are written as JSON, and keys are indexed as they stand in them. */
const asInRow = (reference: string): string => JSON.stringify(reference).slice(1, -1);
const idsOf = (text: string): string[] => text.split(' ').filter((id) => id !== '');

/** On a Cluster a script reaches one shard only, so each node gets a pipeline of plain reads. */
async function lookByNode(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  reference: string,
): Promise<Look[]> {
  const keysOf = (column: Column) => shards.map(({ name }) => ctx.keys.column(name, column));
  const [present, owners, keyed] = await Promise.all([
    NAME_PATTERN.test(reference)
      ? runPipelines(ctx, keysOf('jobs'), (pipeline, key) => pipeline.hexists(key, reference))
      : [],
    runPipelines(ctx, keysOf('unique'), (pipeline, key) => pipeline.hget(key, reference)),
    runPipelines(ctx, keysOf('idempotency'), (pipeline, key) => pipeline.hget(key, asInRow(reference))),
  ]);
  const replies = [...present, ...owners, ...keyed];
  if (replies.length > 0 && replies.every((reply) => reply instanceof Error))
    throw toRedriveError(replies[0]);
  return shards.map((shard, i) => {
    const [here, owner, ids] = [present[i], owners[i], keyed[i]];
    const isUnread = [here, owner, ids].some((reply) => reply instanceof Error);
    return {
      shard,
      hasId: isUnread ? null : here === 1,
      owner: typeof owner === 'string' ? (owner.split(' ')[0] ?? '') : '',
      keyed: typeof ids === 'string' ? idsOf(ids) : [],
    };
  });
}
