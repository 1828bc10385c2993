/** Default rate, canary and automatic stop of a re-drive, by the number of jobs and the safety of their error classes. Pure. */

import { RATE_MAX_PER_SECOND, RERUNS } from '@/lib/contract/operations/operation-kinds';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import type { PreviewRequest } from '@/lib/contract/operations/operation-request';
import { CLASS_SAFETY } from '@/lib/contract/operations/rerun-safety';

/** So many jobs must have ended before the automatic stop decides. */
export const STOP_MIN_ENDED = 10;
const RATE_MIN_PER_SECOND = 50;
/** However many jobs: a re-drive takes some five minutes. */
const FIXED_RATE_SECONDS = 300;

/** The values of the fields the user has not changed. */
export interface SafetyDefaults {
  readonly canary: { readonly on: boolean; readonly jobs: string; readonly percent: string };
  readonly stop: { readonly on: boolean; readonly percent: string };
  /** The fixed rate that an automatic stop needs: without a limit, all jobs are back before enough of them have ended. */
  readonly ratePerSecond: number;
  /** Why the canary has this default; null: the number of jobs alone decided. */
  readonly note: string | null;
}

/** Above `canaryAbove` jobs there is a canary, above `stopAbove` an automatic stop. */
interface Rule {
  readonly canaryAbove: number;
  readonly stopAbove: number;
  readonly jobs: number;
  readonly canaryPercent: number;
  readonly stopPercent: number;
  readonly note: string | null;
}
/** No class needs care: only a large number does. */
const PLAIN: Rule = {
  canaryAbove: 100,
  stopAbove: 100,
  jobs: 20,
  canaryPercent: 10,
  stopPercent: 25,
  note: null,
};
/** The outage may last, or the fix may be missing: twenty jobs try it first. */
const DOUBTFUL: Rule = {
  ...PLAIN,
  canaryAbove: 20,
  stopAbove: 20,
  note: 'Try a few first. If they succeed, the rest follows.',
};
/** Such a job may kill a worker with everything it runs, so one runs alone first. */
const CAREFUL: Rule = {
  canaryAbove: 1,
  stopAbove: STOP_MIN_ENDED,
  jobs: 1,
  canaryPercent: 0,
  stopPercent: 10,
  note: 'Some were in flight when their worker died and may crash it again, so one job runs first.',
};

type PreviewCounts = Pick<Preview, 'count' | 'advice'>;
type RequestKind = Pick<PreviewRequest, 'kind' | 'includeUnsafe'>;

/** `preview` is null while it loads. */
export function safetyDefaultsFor(request: RequestKind, preview: PreviewCounts | null): SafetyDefaults {
  const rule = ruleOf(request, preview?.advice ?? []);
  const count = RERUNS.has(request.kind) ? (preview?.count ?? 0) : 0;
  return {
    canary: {
      on: count > rule.canaryAbove,
      jobs: String(canaryJobs(rule.jobs, count)),
      percent: String(rule.canaryPercent),
    },
    stop: { on: count > rule.stopAbove, percent: String(rule.stopPercent) },
    ratePerSecond: defaultRatePerSecond(count),
    note: rule.note,
  };
}

const defaultRatePerSecond = (count: number): number =>
  Math.min(RATE_MAX_PER_SECOND, Math.max(RATE_MIN_PER_SECOND, Math.ceil(count / FIXED_RATE_SECONDS)));

/** Of a few jobs, a fifth: at least one job must follow the canary. */
const canaryJobs = (most: number, count: number): number =>
  count > most ? most : Math.max(1, Math.floor(count / 5));

/** The most careful rule of the classes that will run again; skipped classes do not count. */
function ruleOf({ kind, includeUnsafe }: RequestKind, advice: Preview['advice']): Rule {
  const moved = advice.filter(
    ({ class: name, count }) => count > 0 && (includeUnsafe || isIncluded(kind, name)),
  );
  if (moved.some(({ safety }) => safety === 'careful')) return CAREFUL;
  return moved.length > 0 ? DOUBTFUL : PLAIN;
}

/** As the broker decides: an edit is meant for bad input. */
const isIncluded = (kind: RequestKind['kind'], name: string): boolean =>
  (kind === 'edit' && name === 'malformed') ||
  !(name in CLASS_SAFETY) ||
  CLASS_SAFETY[name as keyof typeof CLASS_SAFETY].include;
