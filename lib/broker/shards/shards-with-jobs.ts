/** Which shards hold jobs in a state. Of thousands most hold none, and a script call to each would take seconds. */

import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { type Column, STATE_COLUMN } from '@/lib/broker/redis/redis-keys';
import { runPipelines } from '@/lib/broker/redis/run-pipelines';
import { isCluster } from '@/lib/broker/redis/server-check';
import type { ShardRef } from '@/lib/broker/shards/shard-ref';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { RedriveError } from '@/lib/contract/redrive-error';

/** With so few, asking first saves nothing. */
const FEW = 4;
const KEYS_PER_PART = 100;
/** Shards with jobs that one search or operation covers. */
export const SEARCHED_SHARDS_MAX = 5_000;

export const shardsWithJobs = <P extends ShardRef>(
  ctx: BrokerContext,
  shards: readonly P[],
  state: JobState,
): Promise<readonly P[]> => shardsWithColumn(ctx, shards, STATE_COLUMN[state]);

/** Shards with entries in a column. An unreachable shard stays: the next call to it reports the error. */
export async function shardsWithColumn<P extends ShardRef>(
  ctx: BrokerContext,
  shards: readonly P[],
  column: Column,
): Promise<readonly P[]> {
  if (shards.length <= FEW) return shards;
  const keys = shards.map(({ name }) => ctx.keys.column(name, column));
  const candidates = isCluster(ctx.redis) ? keys : await keysOfFullParts(ctx, keys);
  const found = await runPipelines(ctx, candidates, (pipeline, key) => pipeline.exists(key));
  const kept = new Set(candidates.filter((_, i) => found[i] !== 0));
  return shards.filter((_, i) => kept.has(keys[i] ?? ''));
}

/** One EXISTS tells that none of many keys exists, which is so for most. On a Cluster its keys would be in several hash slots. */
async function keysOfFullParts(ctx: BrokerContext, keys: readonly string[]): Promise<readonly string[]> {
  const parts = new Map<string, readonly string[]>();
  for (let i = 0; i < keys.length; i += KEYS_PER_PART)
    parts.set(keys[i] ?? '', keys.slice(i, i + KEYS_PER_PART));
  const counts = await runPipelines(ctx, [...parts.keys()], (pipeline, first) =>
    pipeline.exists(...(parts.get(first) ?? [])),
  );
  return [...parts.values()].filter((_, i) => counts[i] !== 0).flat();
}

/** For what must cover every match. @throws RedriveError VALIDATION when there are too many shards */
export async function allShardsWithJobs(
  ctx: BrokerContext,
  shards: readonly ShardRef[],
  state: JobState,
): Promise<readonly ShardRef[]> {
  const holding = await shardsWithJobs(ctx, shards, state);
  if (holding.length > SEARCHED_SHARDS_MAX)
    throw new RedriveError(
      'VALIDATION',
      `Jobs in this state are in ${holding.length} shards; one operation or export reaches at most ${SEARCHED_SHARDS_MAX}. Limit it to some queues, for example queue:orders.`,
      { fields: [{ field: 'scope', message: `reaches more than ${SEARCHED_SHARDS_MAX} shards` }] },
    );
  return holding;
}
