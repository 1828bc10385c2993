/**
 * What can be wrong with a queue: a table, causes before symptoms. Thresholds are the objectives of the queue; the other rules are about
 * states that no healthy queue has, or that a user chose.
 */
import type { QueueCode } from '@/lib/contract/alerts/finding-codes';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { QueueSort } from '@/lib/contract/queues/queue-limits';
import type { Evidence, QueueSnapshot, Verdict } from '@/lib/contract/queues/queue-schemas';
import { DAY_MS } from '@/lib/contract/time-units';
import { coarseDuration, duration } from '@/lib/format/duration';
import { percent } from '@/lib/format/number';
import { count, listed } from '@/lib/format/plural';

export type Finding = Verdict['findings'][number];
export type Level = Exclude<Verdict['level'], 'ok'>;

/** The job type that a failing queue fails with. */
export interface FailingType {
  readonly jobType: string;
  /** Of the failed runs of the queue, 0..1. Completed runs are not counted by type, so a share of its own runs is not known. */
  readonly share: number;
  readonly windowMs: number;
}

interface QueueRule {
  readonly level: (queue: QueueSnapshot, now: number) => Level | null;
  /** The sentence for one queue. */
  readonly one: (queue: QueueSnapshot, now: number, type?: FailingType) => string;
  /** The subject for several: "3 queues have no worker, 430 jobs waiting". Their names follow. */
  readonly many: (queues: readonly QueueSnapshot[]) => string;
  /** What a list of several says after the name of each. */
  readonly detail?: (queue: QueueSnapshot, type?: FailingType) => string;
  readonly evidence: (queue: QueueSnapshot) => Evidence;
  /** The evidence of several queues. */
  readonly several: (queues: readonly QueueSnapshot[]) => Evidence;
  /** Those of one queue. Several are offered only what needs no queue. */
  readonly actions?: (queue: QueueSnapshot) => Finding['actions'];
}

/** So many failed runs tell a ratio; fewer are chance. */
const FAILED_MIN = 10;
/** A ratio over the objective in the last five minutes stands until that of the last minute is clearly below. */
const CLEARLY_BELOW = 0.8;
/** A missed objective is a warning; missed by this factor, a problem. */
const FAR = 2;
const OVERDUE_MS = 10_000;
const NEARLY_FULL_SHARE = 0.9;

const missed = (value: number, objective: number): Level | null =>
  value < objective ? null : value >= objective * FAR ? 'bad' : 'warn';

export const isPausedWhole = ({ pauses }: QueueSnapshot): boolean =>
  pauses.some(({ scope }) => scope === 'queue');

interface MissedRatio {
  /** 0..1. */
  readonly ratio: number;
  readonly window: 'minute' | 'five minutes';
}

/** The ratio that misses the objective, of the last minute or of the last five; null: none does. */
function missedFailureRatio(queue: QueueSnapshot): MissedRatio | null {
  const { rates, lastFiveMinutes: five, objectives } = queue;
  // Nothing runs, so nothing fails: the past of a paused queue would stand as if it did.
  if (isPausedWhole(queue)) return null;
  const objective = objectives.failureRatio;
  const minute = rates.failureRatio ?? 0;
  const failed = rates.failedPerSecond * (rates.windowMs / 1_000);
  if (failed >= FAILED_MIN && minute >= objective) return { ratio: minute, window: 'minute' };
  const longer = five.runs > 0 ? five.failed / five.runs : 0;
  const stands = (rates.failureRatio ?? longer) >= objective * CLEARLY_BELOW;
  const isMissed = five.failed >= FAILED_MIN && longer >= objective && stands;
  return isMissed ? { ratio: longer, window: 'five minutes' } : null;
}

const FAIL = {
  minute: ['fail', 'are lost'],
  'five minutes': ['failed in the last five minutes', 'were lost in the last five minutes'],
} as const;

/** Most of the failed runs were lost with their workers. */
export const losesRuns = ({ rates }: QueueSnapshot): boolean =>
  rates.lostPerSecond > 0 && rates.lostPerSecond * 2 >= rates.failedPerSecond;

const inQueue = ({ queue }: QueueSnapshot): Evidence => ({ page: 'queue', queue });
const inState =
  (state: JobState) =>
  ({ queue }: QueueSnapshot): Evidence => ({ page: 'queue', queue, state });
const listedBy = (sort: QueueSort) => (): Evidence => ({ page: 'queues', sort });
/** A longer list is no query for a reader: then it is of all queues. */
const QUERY_QUEUES_MAX = 20;
const deadOf = (queues: readonly QueueSnapshot[], ...terms: readonly string[]): Evidence => {
  const names = queues.map(({ queue }) => queue).join(' OR ');
  const all = queues.length > QUERY_QUEUES_MAX ? terms : [`queue:(${names})`, ...terms];
  return { page: 'dead', q: all.join(' ') };
};

const OPEN_WORKERS = (): Finding['actions'] => ['workers'];
const total = (queues: readonly QueueSnapshot[], of: (queue: QueueSnapshot) => number): number =>
  queues.reduce((sum, queue) => sum + of(queue), 0);
const readyOf = ({ counts }: QueueSnapshot) => counts.ready;
const oldestMs = (queue: QueueSnapshot) => queue.oldestReadyAgeMs ?? 0;

export const QUEUE_RULES: Readonly<Record<QueueCode, QueueRule>> = {
  LEDGER: {
    level: ({ ledger }) => (ledger.difference === 0 ? null : 'bad'),
    one: ({ queue, ledger }) =>
      `The ledger of ${queue} is off by ${ledger.difference}: jobs were lost or counted twice.`,
    many: (queues) => `The ledgers of ${queues.length} queues are off: jobs were lost or counted twice`,
    evidence: inQueue,
    several: listedBy('trouble'),
  },
  SHARDS: {
    level: ({ shards }) => (shards.unavailable.length > 0 ? 'bad' : null),
    one: ({ queue, shards: { count: all, unavailable } }) =>
      `${unavailable.length === 1 ? `Shard ${unavailable[0]}` : `${unavailable.length} shards (${listed(unavailable.map(String))})`} of ${queue} cannot be read: its numbers cover the other ${all - unavailable.length} only.`,
    many: (queues) => `Shards of ${queues.length} queues cannot be read: their numbers are partial`,
    evidence: inQueue,
    several: listedBy('trouble'),
    actions: () => ['redis'],
  },
  FAILING: {
    level: (queue) => {
      const missedRatio = missedFailureRatio(queue);
      if (missedRatio === null) return null;
      return missedRatio.ratio >= Math.min(1, queue.objectives.failureRatio * FAR) ? 'bad' : 'warn';
    },
    one: (queue, _, type) => {
      const { died } = queue.lastFiveMinutes;
      const { window } = missedFailureRatio(queue) ?? { window: 'minute' };
      const objective = `objective: under ${percent(queue.objectives.failureRatio)}`;
      const most = type ? `, mostly of ${type.jobType} (${typeText(type)}; ${objective})` : ` (${objective})`;
      const deaths = `; ${count(died, 'job')} died${window === 'minute' ? ' in the last five minutes' : ''}`;
      return `${failingText(queue)} of runs in ${queue.queue} ${FAIL[window][losesRuns(queue) ? 1 : 0]}${most}${died > 0 ? deaths : ''}.`;
    },
    many: (queues) => `Runs fail in ${queues.length} queues`,
    detail: (queue, type) => `${failingText(queue)}${type ? ` (mostly ${type.jobType})` : ''}`,
    evidence: ({ queue, lastFiveMinutes: { died } }) =>
      died > 0 ? { page: 'dead', q: `queue:${queue} age:<5m` } : { page: 'queue', queue, state: 'retry' },
    several: (queues) => deadOf(queues, 'age:<5m'),
    actions: ({ lastFiveMinutes: { died } }) => (died > 0 ? ['pause', 'redrive'] : ['pause']),
  },
  NO_WORKERS: {
    level: (queue) => (queue.counts.ready > 0 && queue.workers === 0 && !isPausedWhole(queue) ? 'bad' : null),
    one: ({ queue, counts }) => `${queue} has no worker, ${count(counts.ready, 'job')} waiting.`,
    many: (queues) =>
      `${queues.length} queues have no worker, ${count(total(queues, readyOf), 'job')} waiting`,
    evidence: inState('ready'),
    several: listedBy('ready'),
    actions: OPEN_WORKERS,
  },
  OVERDUE: {
    level: ({ overdueLeaseMs }) => ((overdueLeaseMs ?? 0) >= OVERDUE_MS ? 'warn' : null),
    one: ({ queue, overdueLeaseMs }) =>
      `A lease in ${queue} expired ${duration(overdueLeaseMs)} ago and was not reclaimed.`,
    many: (queues) => `Expired leases in ${queues.length} queues were not reclaimed`,
    evidence: inState('in-flight'),
    several: listedBy('in-flight'),
    actions: () => ['reclaim', 'workers'],
  },
  OLD: {
    level: (queue) =>
      queue.counts.ready === 0 || isPausedWhole(queue)
        ? null
        : missed(oldestMs(queue), queue.objectives.ageMs),
    one: (queue) =>
      `The oldest ready job in ${queue.queue} has waited ${duration(oldestMs(queue))} (objective: under ${duration(queue.objectives.ageMs)}).`,
    many: (queues) => `Jobs wait too long in ${queues.length} queues`,
    detail: (queue) => duration(oldestMs(queue)),
    evidence: inState('ready'),
    several: listedBy('oldest'),
    actions: OPEN_WORKERS,
  },
  DEEP: {
    level: ({ depth, objectives }) =>
      objectives.depth === null ? null : missed(depth.jobs, objectives.depth),
    one: ({ queue, depth, objectives }) =>
      `${count(depth.jobs, 'job')} wait in ${queue} (objective: under ${count(objectives.depth, 'job')}).`,
    many: (queues) => `Too many jobs wait in ${queues.length} queues`,
    detail: ({ depth }) => count(depth.jobs, 'job'),
    evidence: inState('ready'),
    several: listedBy('ready'),
    actions: OPEN_WORKERS,
  },
  FULL: {
    level: ({ depth }) => (depth.limit !== null && depth.jobs >= depth.limit ? 'bad' : null),
    one: ({ queue, depth }) =>
      `${queue} is full: ${depth.jobs} of at most ${depth.limit} jobs wait, and new ones are refused.`,
    many: (queues) => `${queues.length} queues are full and refuse new jobs`,
    evidence: inState('ready'),
    several: listedBy('ready'),
    actions: OPEN_WORKERS,
  },
  NEARLY_FULL: {
    level: ({ depth }) =>
      depth.limit !== null && depth.jobs < depth.limit && depth.jobs >= depth.limit * NEARLY_FULL_SHARE
        ? 'warn'
        : null,
    one: ({ queue, depth }) =>
      `${queue} is ${Math.floor((depth.jobs / (depth.limit ?? 1)) * 100)}% full: ${depth.jobs} of at most ${depth.limit} jobs wait.`,
    many: (queues) => `${queues.length} queues are nearly full`,
    evidence: inState('ready'),
    several: listedBy('ready'),
    actions: OPEN_WORKERS,
  },
  EXPIRING: {
    level: ({ deadExpireAt, counts }, now) =>
      deadExpireAt !== null && counts.dead > 0 && deadExpireAt - now <= DAY_MS ? 'warn' : null,
    one: ({ queue, deadExpireAt, counts }, now) =>
      (deadExpireAt ?? 0) <= now
        ? `Retention is deleting dead jobs in ${queue} (${counts.dead} left).`
        : `Retention deletes the oldest of ${count(counts.dead, 'dead job')} in ${queue} in ${duration((deadExpireAt ?? 0) - now)}.`,
    many: (queues) => `Retention deletes dead jobs in ${queues.length} queues within a day`,
    evidence: ({ queue }) => ({ page: 'dead', q: `queue:${queue}` }),
    several: (queues) => deadOf(queues),
    actions: () => ['redrive'],
  },
  DRAINING: {
    level: ({ draining }) => (draining ? 'warn' : null),
    one: ({ queue }) => `${queue} is draining: it finishes its jobs and refuses new ones.`,
    many: (queues) => `${queues.length} queues are draining and refuse new jobs`,
    evidence: inQueue,
    several: listedBy('trouble'),
    actions: () => ['drain'],
  },
  PAUSED: {
    level: ({ pauses }) => (pauses.length > 0 ? 'warn' : null),
    one: ({ queue, pauses }) => {
      const [first] = pauses;
      const scope = first?.scope === 'queue' ? queue : `${first?.scope.replace(':', ' ')} in ${queue}`;
      const more = pauses.length > 1 ? ` (and ${pauses.length - 1} more)` : '';
      return `${scope} is paused by ${first?.actor}${more}: ${first?.reason}`;
    },
    many: (queues) =>
      `${count(
        total(queues, ({ pauses }) => pauses.length),
        'pause',
      )} in ${queues.length} queues`,
    evidence: inQueue,
    several: listedBy('trouble'),
    actions: ({ pauses }) => (pauses.length === 1 ? ['resume'] : []),
  },
};

function failingText(queue: QueueSnapshot): string {
  return percent(Math.round((missedFailureRatio(queue)?.ratio ?? 0) * 100) / 100);
}

/** Rounded down: 99.6% is not all. */
const typeText = ({ share, windowMs }: FailingType): string =>
  `${percent(Math.floor(share * 100) / 100)} of failed runs of the last ${coarseDuration(windowMs)}`;
