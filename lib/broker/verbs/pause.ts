import { parseOrThrow } from '@/lib/contract/errors';
import { type PauseScope, pauseRequestSchema } from '@/lib/contract/queue';
import type { BrokerContext } from '../context';
import { type Actor, actorNote } from '../note';
import { limitReached, shareArg, shareRefusal } from '../shares';

export interface PauseOptions {
  scope?: PauseScope;
  reason: string;
  /** Resume by itself after this long. */
  forMs?: number;
}

/** Stops handing out jobs of the queue, a tenant or a job type. What runs goes on; enqueue goes on. */
export async function pause(
  ctx: BrokerContext,
  queue: string,
  input: PauseOptions,
  by: Actor,
): Promise<void> {
  const { scope, reason, forMs } = parseOrThrow(pauseRequestSchema, input, 'pause');
  const args = [scope, forMs ?? 0, actorNote({ ...by, reason }), shareArg('pauses', by)];
  const refused = shareRefusal(await ctx.run('pause', queue, args));
  if (refused) throw await limitReached(ctx, ctx.keys.column(queue, 'pauseShares'), refused, by, 'scope');
}
