/** The next action of an operation. Pure: every runner decides alike, so any may continue where another stopped. */

import type { OperationControl } from '@/lib/contract/operations/operation-record';
import type { AutomaticStop, Canary, OperationRate } from '@/lib/contract/operations/operation-request';
import { allowance, freshBucket, refillBucket } from './rate-bucket';

export interface EndedCounts {
  readonly completed: number;
  readonly diedAgain: number;
  /** Recalled or deleted before they ran: they do not count for the canary. */
  readonly withdrawn: number;
}

export interface Situation {
  readonly now: number;
  readonly rate: OperationRate;
  readonly canary: Canary | null;
  readonly stop: AutomaticStop | null;
  readonly control: OperationControl;
  /** In all shards. */
  readonly moved: number;
  /** Some shard is not done. */
  readonly left: boolean;
  /** The ended jobs; null when they were not read (see `needsOutcome`). */
  readonly ended: EndedCounts | null;
}

export type NextAction =
  | { readonly act: 'move'; readonly atMost: number }
  | { readonly act: 'wait'; readonly waitMs: number }
  | { readonly act: 'pause'; readonly by: 'canary' | 'died-again'; readonly sentence: string }
  | { readonly act: 'complete' };
export interface Decision {
  readonly next: NextAction;
  readonly control: OperationControl;
  /** The canary passed with this decision. */
  readonly canaryPassed: boolean;
}

/** How often to check a waiting canary. */
const CANARY_LOOK_MS = 250;
const SAMPLES_A_WINDOW = 20;

export const freshControl = (now: number): OperationControl => ({
  bucket: freshBucket(now, 0),
  canaryWaitingSince: null,
  canaryDone: false,
  canaryFrom: null,
  samples: [{ at: now, completed: 0, diedAgain: 0 }],
});

type Plan = Pick<Situation, 'canary' | 'stop' | 'control' | 'moved'>;

/** The phase of the canary; null: none, or passed. */
export function phaseOf({ canary, control, moved }: Omit<Plan, 'stop'>): 'canary' | 'canary-wait' | null {
  if (!canary || control.canaryDone) return null;
  return canaryLeft({ canary, control, moved }) > 0 ? 'canary' : 'canary-wait';
}

/** Jobs that the canary still lacks. */
export const canaryLeft = ({ canary, control, moved }: Omit<Plan, 'stop'>): number =>
  (canary?.jobs ?? 0) + (control.canaryFrom?.moved ?? 0) - moved;

/** What ended of the present canary alone. */
const endedSince = (from: OperationControl['canaryFrom'], ended: EndedCounts | null): EndedCounts | null =>
  from && ended
    ? {
        completed: Math.max(0, ended.completed - from.completed),
        diedAgain: Math.max(0, ended.diedAgain - from.diedAgain),
        withdrawn: Math.max(0, ended.withdrawn - from.withdrawn),
      }
    : ended;

/** Whether the decision needs the counts of ended jobs. */
export const needsOutcome = (plan: Plan): boolean =>
  (plan.stop !== null && plan.moved > 0) || phaseOf(plan) === 'canary-wait';

export function decideNext(situation: Situation): Decision {
  const { now, stop, ended, moved, rate, left } = situation;
  let control = situation.control;
  const answer = (next: NextAction, canaryPassed = false): Decision => ({ next, control, canaryPassed });
  if (!left) return answer({ act: 'complete' });
  if (stop && ended) {
    control = { ...control, samples: sampled(control.samples, stop.windowMs, now, ended) };
    const sentence = diedTooOften(control.samples, stop, ended);
    // During the canary only the canary pauses, or resuming would pause a second time.
    if (sentence && phaseOf(situation) === null) return answer({ act: 'pause', by: 'died-again', sentence });
  }
  let passed = false;
  const phase = phaseOf(situation);
  if (phase === 'canary-wait' && situation.canary) {
    control = { ...control, canaryWaitingSince: control.canaryWaitingSince ?? now };
    const from = control.canaryFrom;
    const judged = judge(
      situation.canary,
      moved - (from?.moved ?? 0),
      endedSince(from, ended),
      now - (control.canaryWaitingSince ?? now),
    );
    if (judged === 'wait') return answer({ act: 'wait', waitMs: CANARY_LOOK_MS });
    if (judged !== 'good') return answer({ act: 'pause', by: 'canary', sentence: judged });
    control = { ...control, canaryDone: true, canaryWaitingSince: null };
    passed = true;
  }
  const most = phase === 'canary' && situation.canary ? canaryLeft(situation) : Number.MAX_SAFE_INTEGER;
  if (rate.perSecond === null) {
    // A rate set later starts from here.
    control = { ...control, bucket: freshBucket(now, moved) };
    return answer({ act: 'move', atMost: most }, passed);
  }
  control = { ...control, bucket: refillBucket(control.bucket, rate.perSecond, now, moved) };
  const allowed = allowance(control.bucket, rate.perSecond);
  if ('waitMs' in allowed) return answer({ act: 'wait', waitMs: allowed.waitMs }, passed);
  return answer({ act: 'move', atMost: Math.min(most, allowed.atMost) }, passed);
}

type Samples = OperationControl['samples'];

/** Adds a sample and drops those before the window, except the last one. */
function sampled(samples: Samples, windowMs: number, now: number, ended: EndedCounts): Samples {
  const last = samples.at(-1);
  const due = !last || now - last.at >= windowMs / SAMPLES_A_WINDOW;
  const all = due
    ? [...samples, { at: now, completed: ended.completed, diedAgain: ended.diedAgain }]
    : samples;
  const firstInside = all.findIndex((sample) => sample.at > now - windowMs);
  return firstInside > 1 ? all.slice(firstInside - 1) : firstInside < 0 ? all.slice(-1) : all;
}

/** The sentence for the pause when too many jobs of the window died again. */
function diedTooOften(samples: Samples, stop: AutomaticStop, ended: EndedCounts): string | null {
  const from = samples[0];
  if (!from) return null;
  const diedAgain = ended.diedAgain - from.diedAgain;
  const all = diedAgain + ended.completed - from.completed;
  if (all < stop.minEnded || diedAgain <= stop.maxDiedAgain * all) return null;
  return `Stopped by itself: of ${all} that ended within ${seconds(stop.windowMs)}, ${diedAgain} died again (${percent(diedAgain / all)}); at most ${percent(stop.maxDiedAgain)} may.`;
}

/** `wait`, `good`, or the sentence for the pause. */
function judge(canary: Canary, moved: number, ended: EndedCounts | null, waitedMs: number): string {
  if (!ended) return 'wait';
  const { completed, diedAgain, withdrawn } = ended;
  const ran = completed + diedAgain;
  const over = ran + withdrawn >= moved;
  // Even if all others complete, too many have died.
  const lost = diedAgain > canary.maxDiedAgain * (moved - withdrawn);
  if (lost || (over && diedAgain > canary.maxDiedAgain * ran))
    return `The canary failed: of ${moved}, ${diedAgain} died again and ${completed} completed until it was stopped; at most ${percent(canary.maxDiedAgain)} may die again.`;
  if (over && ran === 0)
    return `The canary says nothing: all ${moved} of it were taken back or deleted before they ran.`;
  if (over) return 'good';
  if (waitedMs < canary.waitMs) return 'wait';
  return `The canary did not end within ${seconds(canary.waitMs)}: of ${moved}, ${ran + withdrawn} ended (${diedAgain} died again). Are workers running, and is nothing paused?`;
}

const percent = (share: number): string => `${Math.round(share * 1_000) / 10}%`;
function seconds(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${Math.round(ms / 1_000)} s`;
}
