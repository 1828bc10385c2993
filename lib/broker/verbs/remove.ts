import type { BrokerContext } from '../context';
import { outcomes } from '../reply';
import { idBatches } from './batch';
import type { TriageOutcome } from './triage';

/** Deletes jobs for good, from any state but in-flight: a running job is cancelled first. */
export const remove = (ctx: BrokerContext, queue: string, ids: readonly string[]): Promise<TriageOutcome[]> =>
  idBatches(ids, 50, async (part) =>
    outcomes(await ctx.run('remove', queue, [...part]), 'remove', {
      1: 'ok',
      0: 'in-flight',
      [-1]: 'not-found',
    }),
  );
