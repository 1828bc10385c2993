import type { BrokerContext } from '../context';
import { type Actor, actorNote } from '../note';
import { outcomes } from '../reply';
import { idBatches } from './batch';
import type { TriageOutcome } from './triage';

/**
 * Deletes jobs for good, from any state but in-flight: a running job is cancelled first. Who did it and why goes into the
 * queue's record of changes: nothing is left of the jobs themselves to say so.
 */
export const remove = (
  ctx: BrokerContext,
  queue: string,
  ids: readonly string[],
  by: Actor,
  tenants: readonly string[] = [],
): Promise<TriageOutcome[]> =>
  idBatches(ids, 50, async (part) =>
    outcomes(await ctx.run('remove', queue, [actorNote(by), tenants.join(' '), ...part]), 'remove', {
      1: 'ok',
      0: 'in-flight',
      [-1]: 'not-found',
    }),
  );
