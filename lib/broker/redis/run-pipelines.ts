/** Many calls in one round trip: on a Cluster one to each node, since a pipeline goes to one node only. */
import type { ChainableCommander } from 'ioredis';
import pLimit from 'p-limit';
import type { ScriptName } from '../lua.generated';
import type { BrokerContext } from './broker-context';
import { slotOf } from './cluster-nodes';
import type { RedisConnection } from './redis-connection';
import { toRedriveError } from './redis-errors';
import type { Column, GlobalKey } from './redis-keys';
import {
  type Arg,
  addScript,
  evalScript,
  isNoScript,
  scriptKeys,
  withCommandDeadline,
} from './script-runner';
import { isCluster } from './server-check';

const PIPELINE_MAX = 1_000;
const CLUSTER_AT_ONCE = 64;

/**
 * One plain command for each key. The replies by key, in order; an Error where a command or its node failed.
 * @throws RedriveError REDIS_UNSAFE | REDIS_UNAVAILABLE when there is no server to ask
 */
export async function runPipelines(
  ctx: BrokerContext,
  keys: readonly string[],
  add: (pipeline: ChainableCommander, key: string) => void,
): Promise<unknown[]> {
  if (keys.length === 0) return [];
  await ctx.ready();
  const { redis } = ctx;
  if (!isCluster(redis)) return pipelined(redis, keys, add);
  const byNode = new Map<string, number[]>();
  keys.forEach((key, at) => {
    const node = redis.slots[slotOf(key)]?.join() ?? '';
    const positions = byNode.get(node);
    if (positions) positions.push(at);
    else byNode.set(node, [at]);
  });
  const replies: unknown[] = new Array(keys.length);
  await Promise.all(
    [...byNode.values()].map(async (positions) => {
      const found = await pipelined(redis, positions, (pipeline, at) => add(pipeline, keys[at] ?? ''));
      positions.forEach((at, i) => {
        replies[at] = found[i];
      });
    }),
  );
  return replies;
}

async function pipelined<T>(
  redis: RedisConnection,
  items: readonly T[],
  add: (pipeline: ChainableCommander, item: T) => void,
): Promise<unknown[]> {
  const replies: unknown[] = [];
  for (let i = 0; i < items.length; i += PIPELINE_MAX) {
    const part = items.slice(i, i + PIPELINE_MAX);
    const pipeline = redis.pipeline();
    for (const item of part) add(pipeline, item);
    try {
      const answers = (await withCommandDeadline(redis, pipeline.exec())) ?? [];
      replies.push(
        ...part.map((_, n) => {
          const [error, reply] = answers[n] ?? [new Error('the pipeline had no reply'), null];
          return error ?? reply;
        }),
      );
    } catch (error) {
      replies.push(...part.map(() => (error instanceof Error ? error : new Error(String(error)))));
    }
  }
  return replies;
}

export interface ScriptCall {
  script: ScriptName;
  /** The physical name of a shard; null: all keys are outside of queues. */
  queue: string | null;
  /** Without the clock, which is put in front as for `ctx.run`. */
  args: Arg[];
  index?: Column | GlobalKey;
}

/**
 * Many scripts, each on its own queue; on a Cluster single calls, 64 at a time. Each settles alone, with the errors of `ctx.run`.
 * @throws RedriveError REDIS_UNSAFE | REDIS_UNAVAILABLE when there is no server to ask
 */
export async function evalMany(
  ctx: Pick<BrokerContext, 'redis' | 'keys' | 'clock' | 'ready'>,
  calls: readonly ScriptCall[],
): Promise<PromiseSettledResult<unknown>[]> {
  if (calls.length === 0) return [];
  await ctx.ready();
  const clock = ctx.clock ? String(ctx.clock()) : '';
  const { redis } = ctx;
  const prepared = calls.map(({ script, queue, args, index }) => ({
    script,
    keys: scriptKeys(ctx.keys, script, queue, { index }),
    args: [clock, ...args],
  }));
  const replies = isCluster(redis)
    ? null
    : await pipelined(redis, prepared, (pipeline, { script, keys, args }) => {
        addScript(pipeline, script, keys, args);
      });
  const limit = pLimit(CLUSTER_AT_ONCE);
  const settle = async ({ script, keys, args }: (typeof prepared)[number], i: number) => {
    const reply = replies?.[i];
    if (replies && !(reply instanceof Error)) return reply;
    if (replies && !isNoScript(reply)) throw toRedriveError(reply);
    // On a Cluster, or when a flushed script cache failed the entry of the pipeline and nothing of it has run.
    return evalScript(redis, script, keys, args, false);
  };
  return Promise.allSettled(prepared.map((call, i) => limit(settle, call, i)));
}
