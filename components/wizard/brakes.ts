/**
 * The canary and the automatic stop a re-drive begins with unless a person says otherwise: from how many jobs there are, and from
 * what their classes say about running them again. Pure.
 */
import { CLASS_SAFETY, type Preview, type PreviewRequest, RERUNS } from '@/lib/contract/operations';

/** As many of what ended as the automatic stop waits for before it judges. */
export const STOP_MIN_ENDED = 10;

/** What is entered in the fields while nobody has typed there. */
export interface Brakes {
  readonly canary: { readonly on: boolean; readonly jobs: string; readonly percent: string };
  readonly stop: { readonly on: boolean; readonly percent: string };
  /** Why the canary is as it is; null: the number of jobs alone decided. */
  readonly why: string | null;
}

/** From more jobs than `canaryAbove` on there is a canary, from more than `stopAbove` on an automatic stop. */
interface Rule {
  readonly canaryAbove: number;
  readonly stopAbove: number;
  readonly jobs: number;
  readonly canaryPercent: number;
  readonly stopPercent: number;
  readonly why: string | null;
}
/** The class says nothing that calls for care: only a large number does. */
const PLAIN: Rule = {
  canaryAbove: 100,
  stopAbove: 100,
  jobs: 20,
  canaryPercent: 10,
  stopPercent: 25,
  why: null,
};
/** An outage may go on, a fix may be missing: twenty find out for the rest. */
const DOUBTFUL: Rule = {
  ...PLAIN,
  canaryAbove: 20,
  stopAbove: 20,
  why: 'Whether these run now is not known before some did: a few find out for the rest.',
};
/** One such job may kill a worker with everything it runs, so one goes alone, and hardly any may die after it. */
const CAREFUL: Rule = {
  canaryAbove: 1,
  stopAbove: STOP_MIN_ENDED,
  jobs: 1,
  canaryPercent: 0,
  stopPercent: 10,
  why: 'Some were in flight when their workers died, and may kill them again: one goes first, alone.',
};

type Known = Pick<Preview, 'count' | 'advice'>;
type Asked = Pick<PreviewRequest, 'kind' | 'includeUnsafe'>;

/** `preview` is null while there is none: then nothing is known of the jobs. */
export function brakesFor(asked: Asked, preview: Known | null): Brakes {
  const rule = ruleOf(asked, preview?.advice ?? []);
  const count = RERUNS.has(asked.kind) ? (preview?.count ?? 0) : 0;
  return {
    canary: { on: count > rule.canaryAbove, jobs: String(rule.jobs), percent: String(rule.canaryPercent) },
    stop: { on: count > rule.stopAbove, percent: String(rule.stopPercent) },
    why: rule.why,
  };
}

/** The most careful of what the classes that will run again ask for. Those that are left alone have no say. */
function ruleOf({ kind, includeUnsafe }: Asked, advice: Preview['advice']): Rule {
  const moved = advice.filter(
    ({ class: name, count }) => count > 0 && (includeUnsafe || isIncluded(kind, name)),
  );
  if (moved.some(({ safety }) => safety === 'careful')) return CAREFUL;
  return moved.length > 0 ? DOUBTFUL : PLAIN;
}

/** As the broker decides: bad input is what an edit is for. */
const isIncluded = (kind: Asked['kind'], name: string): boolean =>
  (kind === 'edit' && name === 'malformed') ||
  !(name in CLASS_SAFETY) ||
  CLASS_SAFETY[name as keyof typeof CLASS_SAFETY].include;
