/** Completing jobs and claiming new ones in one script: the usual call of a busy worker. */
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { replyList } from '@/lib/broker/redis/script-reply';
import type { ParsedClaimOptions } from '@/lib/contract/jobs/claim-options';
import { checkRefs } from '../job-batches';
import { randomId } from '../job-id';
import { type ClaimResult, exchangePlain, readClaim } from './claim-from-shard';
import { ACK_MAX_JOBS, type AckItem, type AckOutcome, ackArgs, ackOutcomes } from './settle-jobs';

export interface ExchangeResult {
  /** One per item, in order; as `ack` answers. */
  readonly acked: AckOutcome[];
  readonly claimed: ClaimResult;
}

/**
 * At most 200 acks. After a lost reply resend the acks with `ack`, and `abandon` the claim's nonce as unindexed.
 * @throws RedriveError UNKNOWN_OUTCOME | REDIS_UNAVAILABLE | VALIDATION
 */
export async function exchangeInShard(
  ctx: BrokerContext,
  queue: string,
  acks: readonly AckItem[],
  options: ParsedClaimOptions,
): Promise<ExchangeResult> {
  if (acks.length > ACK_MAX_JOBS) throw new Error(`exchange: ${acks.length} acks; at most ${ACK_MAX_JOBS}`);
  checkRefs(acks);
  const nonce = options.nonce ?? randomId(16);
  const args = [options.count, options.leaseMs, options.worker, nonce, ...ackArgs(acks)];
  const claimed = isDoubled(acks) ? null : await exchangePlain(ctx, queue, args, nonce, options.leaseMs);
  if (claimed) return { acked: Array<AckOutcome>(acks.length).fill('completed'), claimed };
  const reply = replyList(await ctx.runBuffer('exchange', queue, args), 'exchange');
  return {
    acked: ackOutcomes(reply[0], acks.length, 'exchange'),
    claimed: await readClaim(ctx, queue, reply[1], nonce, options.leaseMs),
  };
}

/** exchange-plain takes no job twice: looking for one costs less here than in Redis. */
const isDoubled = (acks: readonly AckItem[]) =>
  acks.length > 1 && new Set(acks.map(({ jobId }) => jobId)).size < acks.length;
