/**
 * Findings that end stay in their place for some seconds, so that one about a number near its threshold does not come and go. Pure. Here and
 * not in the rules: those know only what Redis says now, and two consoles, one of them started a second ago, must find the same. So an ended
 * finding counts in no number and no level, reads as ended, and makes room for those that stand. For the same reason a finding names
 * another cause only once its last one has not been true for those seconds, or when it gets graver.
 */
import type { Verdict } from '@/lib/contract/queues/queue-schemas';

type Finding = Verdict['findings'][number];

export interface HeldFinding {
  readonly finding: Finding;
  /** When a frame first lacked it; null: it stands. */
  readonly endedAt: number | null;
  /** When a frame last named the cause that is shown. */
  readonly causeAt: number;
}

const HOLD_MS = 10_000;

/** @param at the time of the findings, by the clock of the server */
export function holdFindings(
  before: readonly HeldFinding[],
  findings: readonly Finding[],
  at: number,
): readonly HeldFinding[] {
  const known = new Map(before.map((one) => [one.finding.id, one]));
  const held = findings.map((finding) => keepCause(known.get(finding.id), finding, at));
  let place = 0;
  for (const { finding, endedAt, causeAt } of before) {
    const now = held.findIndex((one) => one.finding.id === finding.id);
    if (now >= 0) {
      place = now + 1;
      continue;
    }
    const since = endedAt ?? at;
    if (at < since || at - since >= HOLD_MS) continue;
    held.splice(place, 0, { finding, endedAt: since, causeAt });
    place += 1;
  }
  return held;
}

function keepCause(before: HeldFinding | undefined, finding: Finding, at: number): HeldFinding {
  const isOther = before !== undefined && before.finding.cause !== finding.cause;
  const isGraver = finding.level === 'bad' && before?.finding.level === 'warn';
  const isFresh = before !== undefined && at >= before.causeAt && at - before.causeAt < HOLD_MS;
  return isOther && isFresh && !isGraver
    ? { ...before, endedAt: null }
    : { finding, endedAt: null, causeAt: at };
}

/** The verdict by the levels that are shown: a problem that became a warning a moment ago still reads as a problem. */
export function heldVerdict<V extends Pick<Verdict, 'level' | 'total' | 'findings'>>(
  verdict: V,
  held: readonly HeldFinding[],
): V {
  const shown = new Map(held.map(({ finding }) => [finding.id, finding.level]));
  const graver = verdict.findings.filter(
    ({ id, level }) => level === 'warn' && shown.get(id) === 'bad',
  ).length;
  if (graver === 0) return verdict;
  const total = { bad: verdict.total.bad + graver, warn: verdict.total.warn - graver };
  return { ...verdict, level: 'bad', total };
}

/** The findings that fit, problems before warnings. Ended findings show only where there is room left. @param room in rem on a phone, where findings are of several heights */
export function fitFindings(
  held: readonly HeldFinding[],
  places: number,
  room = Number.POSITIVE_INFINITY,
): readonly HeldFinding[] {
  let surplus = held.length - places;
  const standing = held.filter(({ endedAt }) => endedAt === null || surplus-- <= 0);
  const isProblem = ({ finding }: HeldFinding) => finding.level === 'bad';
  const placed = new Set(
    [...standing.filter(isProblem), ...standing.filter((one) => !isProblem(one))].slice(0, places),
  );
  const fitting = standing.filter((one) => placed.has(one));
  return fitting.length > 1 && roomOf(fitting.map(({ finding }) => finding)) > room
    ? fitFindings(held, places - 1, room)
    : fitting;
}

/** Longer sentences take three lines of a phone. */
const TWO_LINES_CHARS = 90;

/** Lines of a finding's sentence on a phone. Its actions take the place of the third. */
export const linesOf = ({ sentence, actions }: Finding): 2 | 3 =>
  actions.length === 0 && sentence.length > TWO_LINES_CHARS ? 3 : 2;

/** The height of findings on a phone, in rem: lines of 1 rem, actions of 1.5, and a gap where there are none. */
export const roomOf = (findings: readonly Finding[]): number =>
  findings.reduce((sum, finding) => sum + linesOf(finding) + (finding.actions.length > 0 ? 1.5 : 0.25), 0);
