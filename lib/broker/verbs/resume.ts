import { parseOrThrow } from '@/lib/contract/errors';
import { type PauseScope, pauseScopeSchema } from '@/lib/contract/queue';
import type { BrokerContext } from '../context';
import { type Actor, actorNote, SYSTEM } from '../note';

/** Ends a pause; what it held goes back to its old place in line. False when it was not paused. */
export async function resume(
  ctx: BrokerContext,
  queue: string,
  scope: PauseScope = 'queue',
  by: Actor = SYSTEM,
): Promise<boolean> {
  parseOrThrow(pauseScopeSchema, scope, 'scope');
  let any = false;
  // Each call returns up to 400 held jobs. If this process dies midway, claims and maintenance finish the rest.
  for (let calls = 0; calls < 5_000; calls++) {
    const reply = await ctx.run('resume', queue, [scope, actorNote(by), any ? 0 : 1]);
    any ||= reply !== 0;
    if (reply !== 2) break;
  }
  return any;
}
