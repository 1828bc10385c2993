/** Acking, extending and releasing claims, each in the shard its token names. */
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { replyOutcomes } from '@/lib/broker/redis/script-reply';
import { SCRIPT_BATCHES } from '@/lib/broker/redis/scripts/script-batches';
import { allAnswers, fanOutItems } from '@/lib/broker/shards/fan-out';
import { shardOfToken } from '@/lib/broker/shards/shard-layout';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { type ClaimRef, releaseDelaySchema } from '@/lib/contract/jobs/claim-options';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { type BatchLimit, checkRefs, inBatches } from '../job-batches';
import { shareScripts } from '../share-scripts';
import { type FailItem, type FailOutcome, failInShard } from './fail-jobs';

export type AckOutcome = 'completed' | 'already' | 'stale';
const ACK_OUTCOMES: Readonly<Record<number, AckOutcome>> = {
  1: 'completed',
  2: 'already',
  0: 'stale',
};
export interface AckItem extends ClaimRef {
  /** Kept with the capped history of completed jobs; longer results are cut. */
  readonly result?: string;
}
export type ExtendOutcome = 'extended' | 'stale';
export type ReleaseOutcome = 'released' | 'already' | 'stale';
export interface ReleaseItem extends ClaimRef {
  /** Not to be claimed again for so long: the job waits in `retry`, without burning an attempt. */
  readonly delayMs?: number;
}

const RESULT_MAX_CHARS = 4_000;
/** Copied several times inside Redis: long results cost more than their jobs. */
const ACK_MAX_CHARS = 128 * 1024;
export const ACK_LIMITS: readonly BatchLimit<AckItem>[] = [
  { most: SCRIPT_BATCHES.ack.most, of: () => 1 },
  { most: ACK_MAX_CHARS, of: ({ result }) => Math.min(result?.length ?? 0, RESULT_MAX_CHARS) },
];

/** Completes claimed jobs. `already`: this claim completed it before (a resend). `stale`: the claim is lost, nothing was changed. */
export const ack = (ctx: ShardedContext, queue: string, items: readonly AckItem[]): Promise<AckOutcome[]> =>
  sendToShards(ctx, queue, 'The ack', items, async (name, part) => {
    const [first] = part;
    return part.length === 1 && first
      ? [await ackSingly(ctx, name, '', first)]
      : inBatches(part, ACK_LIMITS, (batch) => ackBatch(ctx, name, batch));
  });

export const ackBatch = async (
  ctx: BrokerContext,
  shard: string,
  batch: readonly AckItem[],
): Promise<AckOutcome[]> => ackOutcomes(await ctx.run('ack', shard, ackArgs(batch)), batch.length, 'ack');

/** Acks of one job each, by callers that know nothing of each other. */
const ackSingly = shareScripts<AckItem, AckOutcome>({
  fullItems: 50,
  maxSize: ACK_MAX_CHARS,
  sizeOf: ({ result }) => Math.min(result?.length ?? 0, RESULT_MAX_CHARS),
  send: (ctx, shard, _, items) => ackBatch(ctx, shard, items),
});

/** As completion.lua reads them: jobs of one claim call share its token, which is sent once. */
export function ackArgs(items: readonly AckItem[]): (string | number)[] {
  const args: (string | number)[] = [items.length, ''];
  const results: (string | number)[] = [];
  let proofs = '';
  let last: string | undefined;
  let alike = 0;
  for (let i = 0; i < items.length; i++) {
    const { jobId, token, result } = items[i] as AckItem;
    if (token !== last) {
      if (last !== undefined) proofs += `${last} ${alike} `;
      last = token;
      alike = 0;
    }
    alike += 1;
    args.push(jobId);
    if (result)
      results.push(i + 1, result.length > RESULT_MAX_CHARS ? result.slice(0, RESULT_MAX_CHARS) : result);
  }
  args[1] = last === undefined ? '' : `${proofs}${last} ${alike}`;
  return results.length === 0 ? args : args.concat(results);
}

/** A single 1 says that all were completed. */
export const ackOutcomes = (reply: unknown, count: number, script: string): AckOutcome[] =>
  reply === 1 ? Array<AckOutcome>(count).fill('completed') : replyOutcomes(reply, script, ACK_OUTCOMES);

export const fail = (
  ctx: ShardedContext,
  queue: string,
  items: readonly FailItem[],
): Promise<FailOutcome[]> =>
  sendToShards(ctx, queue, 'The failure', items, (name, part) => failInShard(ctx, name, part));

/** A heartbeat: each lease still held now ends `leaseMs` from now. A lost one stays lost. */
export const extend = (
  ctx: ShardedContext,
  queue: string,
  items: readonly ClaimRef[],
  leaseMs: number,
): Promise<ExtendOutcome[]> =>
  sendToShards(ctx, queue, 'The heartbeat', items, (name, part) =>
    inBatches(part, SCRIPT_BATCHES.extend.most, async (batch) =>
      replyOutcomes(
        await ctx.run('extend', name, [leaseMs, ...batch.flatMap(({ jobId, token }) => [jobId, token])]),
        'extend',
        { 1: 'extended', 0: 'stale' } as const,
      ),
    ),
  );

/** Gives jobs back unrun, with their attempt: to their old position, or after a delay to the end. */
export const release = (
  ctx: ShardedContext,
  queue: string,
  items: readonly ReleaseItem[],
): Promise<ReleaseOutcome[]> =>
  sendToShards(ctx, queue, 'The release', items, (name, part) =>
    inBatches(part, SCRIPT_BATCHES.release.most, async (batch) =>
      replyOutcomes(await ctx.run('release', name, batch.flatMap(releaseArgs)), 'release', {
        1: 'released',
        2: 'already',
        0: 'stale',
      } as const),
    ),
  );

const releaseArgs = ({ jobId, token, delayMs }: ReleaseItem) => [
  jobId,
  token,
  delayMs === undefined ? 0 : parseOrThrow(releaseDelaySchema, delayMs, 'delayMs'),
];

/** Sends each item to the shard its token names. When a shard does not answer the call fails; sent again, it is answered in full. */
async function sendToShards<T extends ClaimRef, R>(
  ctx: ShardedContext,
  queue: string,
  what: string,
  items: readonly T[],
  send: (name: string, items: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  checkRefs(items);
  if (layout.count === 1) return send(queue, items);
  const answers = await fanOutItems(layout, items, (item) => shardOfToken(layout, item.token), send);
  allAnswers(answers, layout, what);
  return answers.results as R[];
}
