import { parseOrThrow } from '@/lib/contract/errors';
import { type ClaimRef, releaseDelaySchema } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import { outcomes } from '../reply';
import { batches } from './batch';

export type ReleaseOutcome = 'released' | 'already' | 'stale';

export interface ReleaseItem extends ClaimRef {
  /** Not to be claimed again for so long: the job waits in `retry`, without burning an attempt. */
  readonly delayMs?: number;
}

/** Gives jobs back unrun, with their attempt given back: to their old place in line, or after a delay to the end of it. */
export function release(
  ctx: BrokerContext,
  queue: string,
  items: readonly ReleaseItem[],
): Promise<ReleaseOutcome[]> {
  return batches(items, 100, async (part) =>
    outcomes(
      await ctx.run(
        'release',
        queue,
        part.flatMap((item) => [
          item.jobId,
          item.token,
          item.delayMs === undefined ? 0 : parseOrThrow(releaseDelaySchema, item.delayMs, 'delayMs'),
        ]),
      ),
      'release',
      { 1: 'released', 2: 'already', 0: 'stale' } as const,
    ),
  );
}
