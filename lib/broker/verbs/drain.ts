import { drainRequestSchema } from '@/lib/contract/config';
import { parseOrThrow } from '@/lib/contract/errors';
import type { BrokerContext } from '../context';
import { type Actor, actorNote } from '../note';

export interface DrainOptions {
  /** Default true; false takes new jobs again. */
  draining?: boolean;
  reason: string;
}

/** Refuses new jobs while the old ones finish; or ends that. False when it was not draining in the first place. */
export async function drain(
  ctx: BrokerContext,
  queue: string,
  input: DrainOptions,
  by: Actor,
): Promise<boolean> {
  const { draining, reason } = parseOrThrow(drainRequestSchema, input, 'drain');
  return (await ctx.run('drain', queue, [draining ? 1 : 0, actorNote({ ...by, reason })])) === 1;
}
