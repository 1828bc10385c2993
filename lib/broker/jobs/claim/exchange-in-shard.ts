/** Completing jobs and claiming new ones in one script: the usual call of a busy worker. */
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { replyList } from '@/lib/broker/redis/script-reply';
import { SCRIPT_BATCHES } from '@/lib/broker/redis/scripts/script-batches';
import { afterPart } from '@/lib/broker/shards/partial-change';
import type { ParsedClaimOptions } from '@/lib/contract/jobs/claim-options';
import { checkRefs, cutBatches, inBatches } from '../job-batches';
import { randomId } from '../job-id';
import { type ClaimResult, exchangePlain, readClaim } from './claim-from-shard';
import { ACK_LIMITS, type AckItem, type AckOutcome, ackArgs, ackBatch, ackOutcomes } from './settle-jobs';

/** One script does both, and completing a job costs so many times as much as claiming one. */
const ACK_COST = 1.5;
/** Where queues use what costs more, one script completes no more than this and claims. */
const TOGETHER_MAX = 100;

export interface ExchangeResult {
  /** One per item, in order; as `ack` answers. */
  readonly acked: AckOutcome[];
  readonly claimed: ClaimResult;
}

/**
 * Acks beyond the limit of a script go before. After a lost reply resend the acks with `ack`, and `abandon` the claim's nonce as unindexed.
 * @throws RedriveError UNKNOWN_OUTCOME | REDIS_UNAVAILABLE | VALIDATION
 */
export async function exchangeInShard(
  ctx: BrokerContext,
  queue: string,
  acks: readonly AckItem[],
  options: ParsedClaimOptions,
): Promise<ExchangeResult> {
  checkRefs(acks);
  const [from] = cutBatches(acks, ACK_LIMITS).at(-1) ?? [0];
  if (from === 0) return exchangeOnce(ctx, queue, acks, options);
  const before = await inBatches(acks.slice(0, from), ACK_LIMITS, (batch) => ackBatch(ctx, queue, batch));
  const { acked, claimed } = await exchangeOnce(ctx, queue, acks.slice(from), options).catch(throwAfterAcks);
  return { acked: [...before, ...acked], claimed };
}

function throwAfterAcks(error: unknown): never {
  throw afterPart(error);
}

async function exchangeOnce(
  ctx: BrokerContext,
  queue: string,
  acks: readonly AckItem[],
  options: ParsedClaimOptions,
): Promise<ExchangeResult> {
  const nonce = options.nonce ?? randomId(16);
  const count = Math.min(options.count, SCRIPT_BATCHES.exchange.most - Math.ceil(ACK_COST * acks.length));
  const args = [count, options.leaseMs, options.worker, nonce, ...ackArgs(acks)];
  const claimed = isDoubled(acks) ? null : await exchangePlain(ctx, queue, args, nonce, options.leaseMs);
  if (claimed) return { acked: Array<AckOutcome>(acks.length).fill('completed'), claimed };
  if (acks.length > TOGETHER_MAX) {
    const acked = await ackBatch(ctx, queue, acks);
    const claim = await ctx.runBuffer('claim', queue, args.slice(0, 4)).catch(throwAfterAcks);
    return { acked, claimed: await readClaim(ctx, queue, claim, nonce, options.leaseMs) };
  }
  const reply = replyList(await ctx.runBuffer('exchange', queue, args), 'exchange');
  return {
    acked: ackOutcomes(reply[0], acks.length, 'exchange'),
    claimed: await readClaim(ctx, queue, reply[1], nonce, options.leaseMs),
  };
}

/** exchange-plain takes no job twice: looking for one costs less here than in Redis. */
const isDoubled = (acks: readonly AckItem[]) =>
  acks.length > 1 && new Set(acks.map(({ jobId }) => jobId)).size < acks.length;
