/** How a worker stops: claims no more, waits, aborts, gives back, says goodbye. */

import type { ClaimPool } from './claim/claim-pool';
import type { Claimer } from './claim/claimer';
import type { RunningJob } from './run/running-job';
import type { Settlement } from './settle/settlement';
import { createSleeper, withCallDeadline } from './worker-deadline';
import type { Clock } from './worker-types';

/** What the last calls to Redis may take, each, once the handlers are done with. */
const LAST_CALLS_MS = 1_000;
/** Each of its parts has a deadline of its own; this is for a defect in one. */
const REST_MS = 5_000;

export interface DrainDeps {
  readonly inHand: ReadonlySet<RunningJob>;
  readonly clock: Clock;
  readonly drainMs: number;
  readonly abortGraceMs: number;
  readonly pool: Pick<ClaimPool, 'stop'>;
  /** Settles when the pool's last claim has come back. */
  running(): Promise<void>;
  readonly settlement: Pick<Settlement, 'close'>;
  readonly claimer: Pick<Claimer, 'abandonLostClaims'>;
  reportNow(): void;
  stopRest(hurried: boolean): Promise<void>;
  onTrouble(where: string, error: unknown): void;
}

export interface Drain {
  /** Once. */
  run(): Promise<void>;
  /** Before or during `run`: gives everything back now. */
  hurry(): void;
  jobEnded(): void;
}

export function createDrain(deps: DrainDeps): Drain {
  const { inHand, clock, onTrouble } = deps;
  const waiting = createSleeper();
  let hurriedAtMs = Number.POSITIVE_INFINITY;

  /** Waits until nothing is in hand, or until `endMs` (asked again at every wake-up: a hurry brings it forward). */
  async function emptyBefore(endMs: () => number): Promise<void> {
    for (let left = 1; inHand.size > 0 && left > 0; ) {
      left = endMs() - clock.monotonicMs();
      if (left > 0) await waiting.sleep(left);
    }
  }
  const lastCall = (promise: Promise<void>, ms: number, what: string) =>
    withCallDeadline(promise, ms, what).catch((error) => onTrouble('stop', error));

  return {
    /**
     * The job of a handler that ignores its signal is given back while it still runs, as the very last thing, and not to be
     * started for some seconds: the process is expected to exit when this resolves, or that job runs twice at once.
     */
    async run() {
      deps.pool.stop();
      deps.reportNow();
      const drainEndsAtMs = clock.monotonicMs() + deps.drainMs;
      await emptyBefore(() => Math.min(drainEndsAtMs, hurriedAtMs));
      for (const job of inHand) job.abort('shutdown');
      await lastCall(deps.running(), LAST_CALLS_MS, 'the last claim');
      const graceEndsAtMs = clock.monotonicMs() + deps.abortGraceMs;
      await emptyBefore(() => Math.min(graceEndsAtMs, hurriedAtMs) + LAST_CALLS_MS);
      deps.settlement.close();
      await lastCall(deps.claimer.abandonLostClaims(), LAST_CALLS_MS, 'abandoning lost claims');
      await lastCall(deps.stopRest(hurriedAtMs < Number.POSITIVE_INFINITY), REST_MS, 'the goodbye');
    },
    hurry() {
      hurriedAtMs = Math.min(hurriedAtMs, clock.monotonicMs());
      for (const job of inHand) {
        job.abort('shutdown');
        job.giveUp();
      }
      waiting.wake();
    },
    jobEnded() {
      if (inHand.size === 0) waiting.wake();
    },
  };
}
