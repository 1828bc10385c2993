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
import { knownQueues, maySweep, rememberQueues, type SweepPatterns, sweepQueues } from './sweep-queues';

const COLUMNS = ['jobs', 'unique', 'idempotency'] as const;
const SHARDS_A_LOOK = 500;
/** Of more, one command says for hundreds of queues which may have it. */
const QUEUES_LOOKED_INTO = 500;
/** To look into a queue costs about three times what the command costs for the keys of one. */
const KEYED_SHARE = 0.25;
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
 * Looks at all shards in scope. Of thousands most cannot have it: in between two looks into each queue, only those that may are looked into.
 * @param inScope leaves out names of queues
 * @param at now, by the clock of Redis
 */
export async function lookForReference(
  ctx: ShardedContext,
  inScope: (queues: readonly string[]) => readonly string[],
  reference: string,
  at: number,
): Promise<{ looks: Look[]; unasked: number }> {
  if (isCluster(ctx.redis)) {
    const all = await shardRefsOf(ctx, inScope(await readQueueNames(ctx)));
    const { shards, unasked } = firstHolding(await shardsWithColumn(ctx, all, 'jobs'));
    return { looks: await lookByNode(ctx, shards, reference), unasked };
  }
  const likely = await likelyShards(ctx, inScope, reference);
  if (likely) return { looks: (await lookByScript(ctx, likely, reference)).looks, unasked: 0 };
  const names = await readQueueNames(ctx);
  const visible = inScope(names);
  // A look into every queue says which have keys, so that the next one asks few for them.
  const isWhole = visible.length > QUEUES_LOOKED_INTO && maySweep(ctx);
  const all = await shardRefsOf(ctx, isWhole ? names : visible);
  const { shards, unasked } = firstHolding(await holdingShards(ctx, all));
  const { looks, keyed } = await lookByScript(ctx, shards, reference);
  const damaged = looks.filter(({ hasId }) => hasId === null).map(({ shard }) => shard.queue);
  if (isWhole && unasked === 0) rememberQueues(ctx, at, { keyed: new Set(keyed), damaged: new Set(damaged) });
  const shown = new Set(visible);
  return { looks: looks.filter(({ shard }) => shown.has(shard.queue)), unasked };
}

function firstHolding(holding: readonly ShardRef[]): { shards: readonly ShardRef[]; unasked: number } {
  const shards = firstShardsOf(holding, SHARDS_MAX);
  return { shards, unasked: holding.length - shards.length };
}

/** The first shard of a queue mostly has jobs, and the look itself costs what asking first would; of the others many are empty. */
async function holdingShards(ctx: ShardedContext, all: readonly ShardRef[]): Promise<readonly ShardRef[]> {
  if (all.length > SHARDS_MAX) return shardsWithColumn(ctx, all, 'jobs');
  const others = all.filter(({ shard }) => shard > 0);
  return [...all.filter(({ shard }) => shard === 0), ...(await shardsWithColumn(ctx, others, 'jobs'))];
}

/** Null: the queues are few, a look into each of them is due, or Redis does not say by one command which queues may have it. */
async function likelyShards(
  ctx: ShardedContext,
  inScope: (queues: readonly string[]) => readonly string[],
  reference: string,
): Promise<readonly ShardRef[] | null> {
  const known = knownQueues(ctx);
  if (!known) return null;
  const count = await countQueues(ctx);
  if (count <= QUEUES_LOOKED_INTO) return null;
  const isFew = known.keyed.size <= Math.max(QUEUES_LOOKED_INTO, count * KEYED_SHARE);
  const found = await sweepQueues(ctx, patternsOf(ctx, reference), isFew ? known.since : null);
  if (found === null) return null;
  const first = new Set([...found, ...known.damaged, ...(isFew ? known.keyed : [])]);
  // Reads the record of sharded queues where it is old.
  await ctx.shards.of('any');
  // The command looks at first shards: of a queue that has more, the others may have it as well.
  const queues = new Set([...first, ...ctx.shards.record().keys()]);
  const shards = await shardRefsOf(ctx, inScope([...queues].sort()));
  const others = shards.filter(({ shard }) => shard > 0);
  return [
    ...shards.filter(({ queue, shard }) => shard === 0 && first.has(queue)),
    ...(await shardsWithColumn(ctx, others, 'jobs')),
  ];
}

function patternsOf(ctx: ShardedContext, reference: string): SweepPatterns {
  const pattern = (column: Column, field: string) =>
    `${ctx.keys.column('x', column).replace('{x}', '{*}')}->${field}`;
  return {
    byKey: [pattern('unique', reference), pattern('idempotency', asInRow(reference))],
    byId: NAME_PATTERN.test(reference) ? [pattern('jobs', reference)] : [],
  };
}

interface ScriptLooks {
  readonly looks: Look[];
  /** Queues that have keys. */
  readonly keyed: string[];
}

/** One call for many shards: thousands of commands in a pipeline would take several times as long. */
async function lookByScript(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  reference: string,
): Promise<ScriptLooks> {
  const parts: ScriptLooks[] = [];
  for (let i = 0; i < shards.length; i += SHARDS_A_LOOK) {
    const part = shards.slice(i, i + SHARDS_A_LOOK);
    // A key of another type fails a script: plain reads then tell which shard has it.
    parts.push(await lookAtPart(ctx, part, reference).catch(() => lookAtDamaged(ctx, part, reference)));
  }
  return { looks: parts.flatMap(({ looks }) => looks), keyed: parts.flatMap(({ keyed }) => keyed) };
}

async function lookAtDamaged(
  ctx: ShardedContext,
  part: readonly ShardRef[],
  reference: string,
): Promise<ScriptLooks> {
  ReadShare.current()?.signal.throwIfAborted();
  const looks = await lookByNode(ctx, part, reference);
  const [unique, idempotency] = [
    await shardsWithColumn(ctx, part, 'unique'),
    await shardsWithColumn(ctx, part, 'idempotency'),
  ];
  return { looks, keyed: [...unique, ...idempotency].map(({ queue }) => queue) };
}

async function lookAtPart(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  reference: string,
): Promise<ScriptLooks> {
  const keys = shards.flatMap(({ name }) => COLUMNS.map((column) => ctx.keys.column(name, column)));
  const args = [reference, NAME_PATTERN.test(reference) ? 1 : 0, asInRow(reference)];
  const [keyed, ...reply] = replyList(
    await ctx.run('reference-lookup', null, args, { keys }),
    'reference-lookup',
  );
  const looks = Array.from({ length: Math.floor(reply.length / 4) }, (_, i): Look[] => {
    const [number, hasId, owner, ids] = reply.slice(i * 4, i * 4 + 4);
    const shard = shards[Number(number)];
    return shard
      ? [{ shard, hasId: hasId === 1, owner: replyText(owner), keyed: idsOf(replyText(ids)) }]
      : [];
  }).flat();
  return { looks, keyed: idsOf(replyText(keyed)).flatMap((number) => shards[Number(number)]?.queue ?? []) };
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
