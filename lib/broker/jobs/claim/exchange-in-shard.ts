/** Completing jobs and claiming new ones in one script: the usual call of a busy worker. */
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { perContext } from '@/lib/broker/redis/context-cache';
import { replyList } from '@/lib/broker/redis/script-reply';
import type { ParsedClaimOptions } from '@/lib/contract/jobs/claim-options';
import { checkRefs } from '../job-batches';
import { randomId } from '../job-id';
import { type ClaimResult, readClaim } from './claim-from-shard';
import { ACK_MAX_JOBS, type AckItem, type AckOutcome, ackArgs, ackOutcomes } from './settle-jobs';

export interface ExchangeResult {
  /** One per item, in order; as `ack` answers. */
  readonly acked: AckOutcome[];
  readonly claimed: ClaimResult;
}

/** So many calls go by before a queue for which exchange-plain could do nothing is tried again. */
const CALLS_BEFORE_PLAIN = 16;
/** Queue → calls still to go by. Queues where exchange-plain works are not in it. */
const notPlain = perContext(() => new Map<string, number>());

/** Whether exchange-plain is worth a call. */
function isPlain(ctx: BrokerContext, queue: string): boolean {
  const waiting = notPlain.of(ctx);
  const calls = waiting.get(queue);
  if (calls === undefined) return true;
  if (calls > 1) waiting.set(queue, calls - 1);
  else waiting.delete(queue);
  return false;
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
  if (acks.length > 0 && isPlain(ctx, queue)) {
    const reply = await ctx.runBuffer('exchange-plain', queue, args);
    if (reply !== 0) {
      const [more, now, sizes, ...rows] = replyList(reply, 'exchange-plain');
      return {
        acked: Array<AckOutcome>(acks.length).fill('completed'),
        claimed: await readClaim(ctx, queue, [1, more, 0, now, sizes, rows, ''], nonce, options.leaseMs),
      };
    }
    notPlain.of(ctx).set(queue, CALLS_BEFORE_PLAIN);
  }
  const reply = replyList(await ctx.runBuffer('exchange', queue, args), 'exchange');
  return {
    acked: ackOutcomes(reply[0], acks.length, 'exchange'),
    claimed: await readClaim(ctx, queue, reply[1], nonce, options.leaseMs),
  };
}
