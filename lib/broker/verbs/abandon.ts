import type { BrokerContext } from '../context';
import { list, text } from '../reply';

export interface AbandonOptions {
  /** The claim was made with `unindexed`, or by `exchange`: all jobs in flight are looked through, in steps. */
  readonly unindexed?: boolean;
}
/** A claim that may have lost its reply. */
export interface LostClaim extends AbandonOptions {
  readonly nonce: string;
  /** Of the calls of this name only the one with tokens that end in this: another call may use the name again. */
  readonly only?: string | undefined;
}

/** Gives back every job of the claim calls of one nonce whose reply was lost, without burning an attempt. */
export async function abandon(
  ctx: BrokerContext,
  queue: string,
  nonce: string,
  { unindexed = false, only = '' }: Omit<LostClaim, 'nonce'> = {},
): Promise<number> {
  if (!unindexed) return Number(await ctx.run('abandon-named', queue, [nonce, only]));
  let cursor = '0';
  let released = 0;
  do {
    const reply = list(await ctx.run('abandon', queue, [nonce, cursor]), 'abandon');
    cursor = text(reply[0]);
    released += Number(reply[1]);
  } while (cursor !== '0');
  return released;
}
