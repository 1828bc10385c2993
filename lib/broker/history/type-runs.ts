/** Failed runs and claims of a queue by job type, counted since the last ten-minute row of its history. */
import { readHash } from '../redis/bounded-reads';
import { fanOut } from '../shards/fan-out';
import type { ShardedContext } from '../shards/sharded-context';

export interface TypeRuns {
  readonly jobType: string;
  /** Exact. */
  readonly failed: number;
  /** By the first job of each call: a sample where calls claim many. */
  readonly claimed: number;
}

/** 600 counted fields and some of the whole. */
const TALLIES_BOUND = { fields: 700, bytes: 262_144 } as const;

/** @throws where a shard cannot be read: a part of the counts would blame another type */
export async function readTypeRuns(ctx: ShardedContext, queue: string): Promise<TypeRuns[]> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  const { answered, failed } = await fanOut(layout, (name) =>
    readHash(ctx, { queue: name, index: 'tallies' }, TALLIES_BOUND),
  );
  if (failed[0]) throw failed[0].error;
  const runs = new Map<string, { failed: number; claimed: number }>();
  for (const [field, value] of answered.flatMap(({ value }) => [...value])) {
    const [, jobType, what] = /^t:(\S+):([cf])$/.exec(field) ?? [];
    if (jobType === undefined) continue;
    const sums = runs.get(jobType) ?? { failed: 0, claimed: 0 };
    sums[what === 'f' ? 'failed' : 'claimed'] += Number(value) || 0;
    runs.set(jobType, sums);
  }
  return [...runs].map(([jobType, sums]) => ({ jobType, ...sums }));
}
