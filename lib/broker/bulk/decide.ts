/**
 * What an operation does next, given what it is, what it has moved, and what became of that. Pure: every runner decides the same
 * from the same facts, so any of them may go on where another stopped.
 */
import type { AutomaticStop, Canary, Pace } from '@/lib/contract/operations';
import type { OperationControl } from '@/lib/contract/verbs';
import { allowance, freshBucket, refill } from './velocity';

export interface Ended {
  readonly completed: number;
  readonly diedAgain: number;
  /** Taken back or deleted before they ran: they say nothing about how the others will fare. */
  readonly withdrawn: number;
}

export interface Situation {
  readonly now: number;
  readonly pace: Pace;
  readonly canary: Canary | null;
  readonly stop: AutomaticStop | null;
  readonly control: OperationControl;
  /** Over all places, ever. */
  readonly moved: number;
  /** Something is not walked yet. */
  readonly left: boolean;
  /** What became of the moved ones; null when it was not read (see `watchesOutcome`). */
  readonly ended: Ended | null;
}

export type Next =
  | { readonly act: 'move'; readonly atMost: number }
  | { readonly act: 'wait'; readonly waitMs: number }
  | { readonly act: 'pause'; readonly by: 'canary' | 'died-again'; readonly sentence: string }
  | { readonly act: 'complete' };
export interface Decision {
  readonly next: Next;
  readonly control: OperationControl;
  /** The canary was judged good just now. */
  readonly canaryPassed: boolean;
}

/** How often the end of a canary is looked for. */
const CANARY_LOOK_MS = 250;
/** The window of the automatic stop is measured to a twentieth of its length. */
const SAMPLES_A_WINDOW = 20;

export const freshControl = (now: number): OperationControl => ({
  bucket: freshBucket(now, 0),
  canarySince: null,
  canaryPast: false,
  samples: [{ at: now, completed: 0, diedAgain: 0 }],
});

type Plan = Pick<Situation, 'canary' | 'stop' | 'control' | 'moved'>;

/** Where it is with its canary. */
export function phaseOf({ canary, control, moved }: Omit<Plan, 'stop'>): 'canary' | 'canary-wait' | null {
  if (!canary || control.canaryPast) return null;
  return moved < canary.jobs ? 'canary' : 'canary-wait';
}

/** Whether the decision needs to know what became of the moved ones. */
export const watchesOutcome = (plan: Plan): boolean =>
  (plan.stop !== null && plan.moved > 0) || phaseOf(plan) === 'canary-wait';

export function decide(situation: Situation): Decision {
  const { now, stop, ended, moved, pace, left } = situation;
  let control = situation.control;
  const answer = (next: Next, canaryPassed = false): Decision => ({ next, control, canaryPassed });
  if (!left) return answer({ act: 'complete' });
  if (stop && ended) {
    control = { ...control, samples: sampled(control.samples, stop.windowMs, now, ended) };
    const sentence = diedTooOften(control.samples, stop, ended);
    // Until the canary is judged it is the canary that stops: or resuming would run into it a second time.
    if (sentence && phaseOf(situation) === null) return answer({ act: 'pause', by: 'died-again', sentence });
  }
  let passed = false;
  const phase = phaseOf(situation);
  if (phase === 'canary-wait' && situation.canary) {
    control = { ...control, canarySince: control.canarySince ?? now };
    const judged = judge(situation.canary, moved, ended, now - (control.canarySince ?? now));
    if (judged === 'wait') return answer({ act: 'wait', waitMs: CANARY_LOOK_MS });
    if (judged !== 'good') return answer({ act: 'pause', by: 'canary', sentence: judged });
    control = { ...control, canaryPast: true, canarySince: null };
    passed = true;
  }
  const most =
    phase === 'canary' && situation.canary ? situation.canary.jobs - moved : Number.MAX_SAFE_INTEGER;
  if (pace.ratePerSecond === null) {
    // Should a rate be set later, it starts from here.
    control = { ...control, bucket: freshBucket(now, moved) };
    return answer({ act: 'move', atMost: most }, passed);
  }
  control = { ...control, bucket: refill(control.bucket, pace.ratePerSecond, now, moved) };
  const allowed = allowance(control.bucket, pace.ratePerSecond);
  if ('waitMs' in allowed) return answer({ act: 'wait', waitMs: allowed.waitMs }, passed);
  return answer({ act: 'move', atMost: Math.min(most, allowed.atMost) }, passed);
}

type Samples = OperationControl['samples'];

/** Adds what has ended by now, and drops what the window no longer needs: all but one from before it. */
function sampled(samples: Samples, windowMs: number, now: number, ended: Ended): Samples {
  const last = samples.at(-1);
  const due = !last || now - last.at >= windowMs / SAMPLES_A_WINDOW;
  const all = due
    ? [...samples, { at: now, completed: ended.completed, diedAgain: ended.diedAgain }]
    : samples;
  const firstInside = all.findIndex((sample) => sample.at > now - windowMs);
  return firstInside > 1 ? all.slice(firstInside - 1) : firstInside < 0 ? all.slice(-1) : all;
}

/** Says so when, of what ended within the window, too many died again. */
function diedTooOften(samples: Samples, stop: AutomaticStop, ended: Ended): string | null {
  const from = samples[0];
  if (!from) return null;
  const diedAgain = ended.diedAgain - from.diedAgain;
  const all = diedAgain + ended.completed - from.completed;
  if (all < stop.minEnded || diedAgain <= stop.maxDiedAgain * all) return null;
  return `Stopped by itself: of ${all} that ended within ${seconds(stop.windowMs)}, ${diedAgain} died again (${percent(diedAgain / all)}); at most ${percent(stop.maxDiedAgain)} may.`;
}

/** `wait`, `good`, or why it was not good. */
function judge(canary: Canary, moved: number, ended: Ended | null, waitedMs: number): string {
  if (!ended) return 'wait';
  const { completed, diedAgain, withdrawn } = ended;
  const ran = completed + diedAgain;
  const over = ran + withdrawn >= moved;
  // With this many dead the share can no longer come out well, whatever becomes of the rest.
  const lost = diedAgain > canary.maxDiedAgain * (moved - withdrawn);
  if (lost || (over && diedAgain > canary.maxDiedAgain * ran))
    return `The canary failed: of ${moved}, ${diedAgain} died again and ${completed} completed; at most ${percent(canary.maxDiedAgain)} may die again.`;
  if (over && ran === 0)
    return `The canary says nothing: all ${moved} of it were taken back or deleted before they ran.`;
  if (over) return 'good';
  if (waitedMs < canary.waitMs) return 'wait';
  return `The canary did not end within ${seconds(canary.waitMs)}: of ${moved}, ${ran + withdrawn} ended (${diedAgain} died again). Are workers running, and is nothing paused?`;
}

const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;
function seconds(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${Math.round(ms / 1_000)} s`;
}
