import type { BrokerContext } from '../context';
import { list, text } from '../reply';

/** Gives back every job of one claim call whose reply was lost, without burning an attempt. */
export async function abandon(ctx: BrokerContext, queue: string, nonce: string): Promise<number> {
  let cursor = '0';
  let released = 0;
  do {
    const reply = list(await ctx.run('abandon', queue, [nonce, cursor]), 'abandon');
    cursor = text(reply[0]);
    released += Number(reply[1]);
  } while (cursor !== '0');
  return released;
}
