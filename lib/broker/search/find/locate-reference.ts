/** Where a reference is known: which shards have it as the id of a job, as a uniqueness key, or as an idempotency key. */
import { NAME_PATTERN } from '@/lib/contract/name-pattern';
import { ReadShare } from '@/lib/process/read-share';
import { toRedriveError } from '../../redis/redis-errors';
import type { Column } from '../../redis/redis-keys';
import { runPipelines } from '../../redis/run-pipelines';
import { replyList, replyText } from '../../redis/script-reply';
import { isCluster } from '../../redis/server-check';
import type { ShardRef } from '../../shards/shard-ref';
import type { ShardedContext } from '../../shards/sharded-context';
import { shardsWithColumn } from '../../shards/shards-with-jobs';
import { damagedShards, sweepQueues } from './sweep-queues';

const COLUMNS = ['jobs', 'unique', 'idempotency'] as const;
const SHARDS_A_LOOK = 500;
/** Of more, one command tells for hundreds of queues which may have it. */
const SHARDS_LOOKED_INTO = 500;

export interface Look {
  readonly shard: ShardRef;
  /** Null: the shard could not be read. */
  readonly hasId: boolean | null;
  /** Job that holds the uniqueness key; empty: none. */
  readonly owner: string;
  /** Jobs that came in with it as their idempotency key, the newest first; some may be gone. */
  readonly keyed: readonly string[];
}

/** Looks at all of these shards. Of thousands most cannot have it: it looks into those only that may. */
export async function lookForReference(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  reference: string,
): Promise<Look[]> {
  if (isCluster(ctx.redis)) return lookByNode(ctx, await shardsWithColumn(ctx, shards, 'jobs'), reference);
  if (shards.length <= SHARDS_LOOKED_INTO) return lookByScript(ctx, shards, reference);
  const found = await sweepQueues(ctx, patternsOf(ctx, reference));
  const lookInto = async (some: readonly ShardRef[]) =>
    lookByScript(ctx, await shardsWithColumn(ctx, some, 'jobs'), reference);
  if (found === null) return lookInto(shards);
  const firsts = shards.filter(({ shard }) => shard === 0);
  const damaged = await damagedShards(ctx, async () =>
    (await lookInto(firsts)).filter(({ hasId }) => hasId === null).map(({ shard }) => shard),
  );
  const likely = shards.filter(
    ({ queue, shard, name }) => shard > 0 || found.has(queue) || damaged.has(name),
  );
  return lookInto(likely);
}

/** What SORT reads of each queue: a field of a hash, with `*` for the name. */
function patternsOf(ctx: ShardedContext, reference: string): string[] {
  const pattern = (column: Column, field: string) =>
    `${ctx.keys.column('x', column).replace('{x}', '{*}')}->${field}`;
  return [
    pattern('unique', reference),
    pattern('idempotency', asInRow(reference)),
    ...(NAME_PATTERN.test(reference) ? [pattern('jobs', reference)] : []),
  ];
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
