/** Failure groups that were first seen within the hour, as a finding: jobs began to die of something new. Pure. */
import type { Verdict } from '@/lib/contract/queues/queue-schemas';
import type { Group } from '@/lib/contract/search/search-schemas';
import { HOUR_MS } from '@/lib/contract/time-units';
import { coarseDuration } from '@/lib/format/duration';
import { count } from '@/lib/format/plural';

type Finding = Verdict['findings'][number];

type GroupField = 'group' | 'type' | 'class' | 'code' | 'count' | 'firstSeen' | 'lastHour' | 'queues';
export interface NewFailure extends Pick<Group, GroupField> {
  /** `count` is of a sample: more jobs may have died of it. */
  readonly isSampled: boolean;
}

/** The dead letters of the last hour. */
export const RECENT_FAILURES = 'age:<1h';

/** A group whose status a user changed is no longer new. */
export const isNewFailure = ({ firstSeen, status, changedAt }: Group, now: number): boolean =>
  now - firstSeen < HOUR_MS && status === 'open' && changedAt === null;

/** The part of it in some queues; null: none. */
export function failureWithin(failure: NewFailure, hasQueue: (queue: string) => boolean): NewFailure | null {
  const queues = failure.queues.filter(({ value }) => hasQueue(value));
  if (queues.length === 0) return null;
  // Its last hour is of all its queues, and says when jobs of the others died.
  const lastHour = queues.length === failure.queues.length ? failure.lastHour : null;
  return { ...failure, lastHour, queues, count: queues.reduce((sum, { count }) => sum + count, 0) };
}

/** One finding for all of them. It names the failure of the most deaths in the last five minutes, which a user can still stop. */
export function failureFindings(
  failures: readonly NewFailure[],
  now: number,
  named: (queues: readonly { queue: string }[]) => Finding['queues'],
): Finding[] {
  const fresh = failures
    .filter(({ firstSeen }) => now - firstSeen < HOUR_MS)
    .toSorted((a, b) => latelyOf(b) - latelyOf(a) || b.count - a.count);
  const [first] = fresh;
  if (!first) return [];
  const queues = queuesOf(fresh);
  const isOne = fresh.length === 1;
  const died = fresh.reduce((sum, failure) => sum + failure.count, 0);
  const least = fresh.some(({ isSampled }) => isSampled) ? 'At least ' : '';
  const isGoingOn = latelyOf(first) > 0;
  const [place, ...otherPlaces] = first.queues;
  const cause = `${nameOf(first)}, first seen ${coarseDuration(Math.max(0, now - first.firstSeen))} ago`;
  return [
    {
      id: 'NEW_FAILURE',
      level: 'warn',
      code: 'NEW_FAILURE',
      queue: queues.length === 1 ? (queues[0] ?? null) : null,
      queues: named(queues.map((queue) => ({ queue }))),
      sentence: isOne
        ? `${least}${count(died, 'job')} died of a new failure in the last hour: ${cause}.`
        : `${least}${count(died, 'job')} died of ${fresh.length} new failures in the last hour, ${isGoingOn ? 'lately most' : 'most'} of ${cause}.`,
      cause: first.group,
      evidence: { page: 'dead', q: isOne ? `group:${first.group}` : RECENT_FAILURES },
      ...(isGoingOn && place && otherPlaces.length === 0
        ? { pause: { queue: place.value, jobType: first.type }, actions: ['pause', 'redrive'] }
        : { actions: ['redrive'] }),
      // Of the failure that the sentence names: the others may need another fix.
      redriveQuery: `group:${first.group}`,
    },
  ];
}

/** Deaths within the last five minutes. */
const latelyOf = ({ lastHour }: NewFailure): number => lastHour?.at(-1) ?? 0;

export const queuesOf = (failures: readonly NewFailure[]): string[] =>
  [...new Set(failures.flatMap(({ queues }) => queues.map(({ value }) => value)))].sort();

/** Never its message, which can quote a payload. */
const nameOf = ({ type, class: errorClass, code }: NewFailure): string => `${type} ${code} (${errorClass})`;
