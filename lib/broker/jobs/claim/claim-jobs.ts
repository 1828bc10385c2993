/** Claiming from a sharded queue: one shard after the other, until there are enough jobs. */

import { answersOrThrow, fanOut } from '@/lib/broker/shards/fan-out';
import { divide, type ShardLayout, shardNonce } from '@/lib/broker/shards/shard-layout';
import type { AbandonOptions, ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { ClaimOptions, ParsedClaimOptions } from '@/lib/contract/jobs/claim-options';
import { CLAIM_MAX_JOBS } from '@/lib/contract/jobs/job-limits';
import { idFrom, randomId } from '../job-id';
import { shareScripts } from '../share-scripts';
import { abandonInShard, type ClaimResult, claimFromShard } from './claim-from-shard';
import { type ExchangeResult, exchangeInShard } from './exchange-in-shard';
import { parseClaimOptions } from './parse-claim-options';
import { type AckItem, ack } from './settle-jobs';
import { chooseShards, nextInShards, rememberAnswer } from './shard-choice';
import { backOffShard, isBackedOff, markShardBack } from './shard-health';

/** Shards asked at once when the first had too little, each for its share of the count. */
const AT_ONCE = 8;

/** Claims of one worker without a name of their own. */
const claimTogether = shareScripts<ParsedClaimOptions, ClaimResult>({
  fullItems: 50,
  maxSize: CLAIM_MAX_JOBS,
  sizeOf: ({ count }) => count,
  async send(ctx, queue, _, calls) {
    const [first] = calls;
    if (!first) return [];
    const count = calls.reduce((sum, call) => sum + call.count, 0);
    const result = await claimFromShard(ctx, queue, { ...first, count });
    if (calls.length === 1) return [result];
    const jobs = [...result.jobs];
    return calls.map((call) => ({ ...result, jobs: jobs.splice(0, call.count) }));
  },
});

/** Takes up to `count` ready jobs under a lease. A lost reply: UNKNOWN_OUTCOME, then `abandon` with the same nonce. */
export async function claim(ctx: ShardedContext, queue: string, input: ClaimOptions): Promise<ClaimResult> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  const options = parseClaimOptions(input);
  if (layout.count === 1)
    return options.nonce === undefined
      ? claimTogether(ctx, queue, `${options.worker} ${options.leaseMs}`, options)
      : claimFromShard(ctx, queue, options);
  const nonce = options.nonce ?? randomId(16);
  const unindexed = options.unindexed || options.nonce === undefined;
  const choice = chooseShards(ctx, layout, options.woken);
  const isAwake = (shard: number) => !isBackedOff(ctx, layout.names[shard] ?? queue);
  let [first, others] = [choice.first.filter(isAwake), choice.others.filter(isAwake)];
  // With none awake ask all: the error then says what is wrong now.
  const noneAwake = first.length + others.length === 0;
  if (noneAwake) ({ first, others } = choice);
  const results: ClaimResult[] = [];
  const unfilled: number[] = [];
  let left = options.count;
  let firstError: unknown;
  const ask = async (shard: number, count: number): Promise<void> => {
    const name = layout.names[shard] ?? queue;
    const named = nonceFor(shard, nonce);
    // Known here, so that a lost call is given back alone: by then its name may hold jobs that another process handed out.
    const only = unindexed ? undefined : nonceFor(shard, randomId(16));
    try {
      if (noneAwake) await markShardBack(ctx, name);
      const shardOptions = { ...options, count, nonce: named, unindexed };
      const result = await claimFromShard(ctx, name, shardOptions, only, {
        queue,
        shardName: `${queue}#${shard}`,
      });
      results.push(result);
      rememberAnswer(layout, shard, result);
      left -= result.jobs.length;
      if (result.more && result.jobs.length === count) unfilled.push(shard);
    } catch (error) {
      firstError ??= error;
      rememberAnswer(layout, shard, null);
      backOffShard(ctx, name, error, { nonce: named, unindexed, only });
    }
  };
  const askInWaves = async (shards: number[]): Promise<void> => {
    while (left > 0 && shards.length > 0) {
      const wave = shards.splice(0, Math.min(AT_ONCE, left));
      const shares = divide(left, wave.length);
      await Promise.all(wave.map((shard, i) => ask(shard, shares[i] ?? 1)));
    }
  };
  await askInWaves(first);
  // Where one shard has several new jobs, the others have some, too: asking them now is cheaper than a wake-up for each.
  const isEnough = choice.woken && results.length > 0 && results.every(({ jobs }) => jobs.length <= 1);
  if (!isEnough) await askInWaves(others);
  // What some shards had too little of, others may have more of than their share.
  for (const shard of unfilled.splice(0)) if (left > 0) await ask(shard, left);
  if (results.length === 0) throw firstError;
  return merged(layout, results, first.length > 0 || (!isEnough && others.length > 0));
}

/** Completes jobs and claims new ones, in all shards at the same time. A lost reply leaves both open: see claim-from-shard.ts. */
export async function exchange(
  ctx: ShardedContext,
  queue: string,
  acks: readonly AckItem[],
  input: ClaimOptions,
): Promise<ExchangeResult> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  if (layout.count === 1) return exchangeInShard(ctx, queue, acks, parseClaimOptions(input));
  const nonce = input.nonce ?? randomId(16);
  const [acked, claimed] = await Promise.allSettled([
    ack(ctx, queue, acks),
    claim(ctx, queue, { ...input, nonce, unindexed: true }),
  ]);
  if (claimed.status === 'rejected') throw claimed.reason;
  if (acked.status === 'fulfilled') return { acked: acked.value, claimed: claimed.value };
  // Their reply does not reach the worker: the jobs go back at once, not when their leases end.
  await abandon(ctx, queue, nonce, { unindexed: true }).catch(() => undefined);
  throw acked.reason;
}

/** Gives back the jobs of a claim call with a lost reply; in a shard that does not answer, as soon as it does. */
export async function abandon(
  ctx: ShardedContext,
  queue: string,
  nonce: string,
  { unindexed = false }: AbandonOptions = {},
): Promise<number> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  if (layout.count === 1) return abandonInShard(ctx, queue, nonce, { unindexed });
  const answers = await fanOut(layout, (name, shard) =>
    abandonInShard(ctx, name, nonceFor(shard, nonce), { unindexed }),
  );
  for (const { shard, error } of answers.failed)
    backOffShard(ctx, layout.names[shard] ?? queue, error, { nonce: nonceFor(shard, nonce), unindexed });
  return answersOrThrow(answers).reduce((sum, released) => sum + released, 0);
}

const nonceFor = (shard: number, nonce: string) => shardNonce(shard, nonce, idFrom);

function merged(layout: ShardLayout, results: readonly ClaimResult[], someUnasked: boolean): ClaimResult {
  return {
    jobs: results.flatMap((result) => result.jobs),
    paused: results.every((result) => result.paused),
    more: someUnasked || results.some((result) => result.more),
    nextAt: nextInShards(layout),
    now: Math.max(...results.map((result) => result.now)),
  };
}
