import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { type PauseScope, pauseRequestSchema } from '@/lib/contract/queue';
import type { BrokerContext } from '../context';
import { type Actor, actorNote } from '../note';

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
  const reply = await ctx.run('pause', queue, [scope, forMs ?? 0, actorNote({ ...by, reason })]);
  if (reply !== 1)
    throw new RedriveError(
      'LIMIT_REACHED',
      `${queue} has 100 pauses already. Resume some first, or pause the whole queue.`,
    );
}
