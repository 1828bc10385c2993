/** Tells Redis how a run ended, and everyone else what Redis answered. */
import type { JobInHand } from './job-in-hand';
import type { Outbox } from './outbox';
import type { RunEnd } from './run-job';
import type { OnEvent } from './types';

export interface Tally {
  completed: number;
  failed: number;
  released: number;
}

export async function settle(
  job: JobInHand,
  end: RunEnd,
  outbox: Outbox,
  tally: Tally,
  onEvent: OnEvent,
): Promise<void> {
  const ref = { queue: job.queue, jobId: job.ref.jobId };
  switch (end.kind) {
    case 'lost':
      return; // Told when it was lost.
    case 'done': {
      const outcome = await outbox.ack(job, end.result);
      if (outcome === 'stale' || outcome === 'gave-up') return onEvent({ type: outcome, ...ref });
      // `already`: an earlier send of this very ack took, only its reply was lost.
      tally.completed += 1;
      return onEvent({ type: 'completed', ...ref });
    }
    case 'failed': {
      const outcome = await outbox.fail(job, end.failure);
      if (outcome === 'stale' || outcome === 'gave-up') return onEvent({ type: outcome, ...ref });
      tally.failed += 1;
      const { errorClass, errorCode } = end.failure;
      return onEvent({
        type: 'failed',
        outcome: outcome === 'dead' ? 'dead' : 'retry',
        errorClass,
        errorCode,
        ...ref,
      });
    }
    case 'release': {
      const outcome = await outbox.release(job, end.delayMs);
      if (outcome === 'stale' || outcome === 'gave-up') return onEvent({ type: outcome, ...ref });
      tally.released += 1;
      return onEvent({ type: 'released', ...ref });
    }
  }
}
