import { parseOrThrow } from '@/lib/contract/errors';
import { type ClaimOptions, claimOptionsSchema } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import { randomId } from '../id';
import { list, outcomes } from '../reply';
import { ACK_MAX_JOBS, ACK_OUTCOMES, type AckItem, type AckOutcome, ackArgs } from './ack';
import { checkRefs } from './batch';
import { type ClaimResult, readClaim } from './claim';

export interface ExchangeResult {
  /** One per item, in order; as `ack` answers. */
  readonly acked: AckOutcome[];
  readonly claimed: ClaimResult;
}

/**
 * Completes jobs and claims new ones in one round trip and one script: what a busy worker does all day. At most 200 acks.
 * A lost reply leaves both open: resend the acks with `ack`, and `abandon` the claim's nonce as one that is not indexed.
 */
export async function exchange(
  ctx: BrokerContext,
  queue: string,
  acks: readonly AckItem[],
  input: ClaimOptions,
): Promise<ExchangeResult> {
  const options = parseOrThrow(claimOptionsSchema, input, 'claim options');
  if (acks.length > ACK_MAX_JOBS) throw new Error(`exchange: ${acks.length} acks; at most ${ACK_MAX_JOBS}`);
  checkRefs(acks);
  const nonce = options.nonce ?? randomId(16);
  const reply = list(
    await ctx.runBuffer('exchange', queue, [
      options.count,
      options.leaseMs,
      options.worker,
      nonce,
      ...ackArgs(acks),
    ]),
    'exchange',
  );
  return {
    acked: outcomes(reply[0], 'exchange', ACK_OUTCOMES),
    claimed: await readClaim(ctx, queue, reply[1], nonce, options.leaseMs),
  };
}
