/** The verdict: one pure function from the numbers to sentences about problems, worst first. */
import type { DatasetLoss } from '@/lib/broker';
import type { QueueSnapshot, Verdict } from '@/lib/contract/queues/queue-schemas';
import { DAY_MS } from '@/lib/contract/time-units';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { count } from '@/lib/format/plural';

/** Objectives until queues carry their own. */
const OLDEST_READY_WARN_MS = 60_000;
const OLDEST_READY_BAD_MS = 300_000;
const FAILURE_RATIO_WARN = 0.2;
const FAILURE_RATIO_BAD = 0.5;
const OVERDUE_WARN_MS = 5_000;
const RECENT_CRASH_MS = 60_000;
const DEPTH_WARN_SHARE = 0.9;
/** Named in a sentence; the others are counted. */
const NAMED = 3;
const FINDINGS_MAX = 50;
export type Finding = Verdict['findings'][number];

interface VerdictInput {
  now: number;
  redisError: string | null;
  /** The data of this Redis were lost lately, as far as this process has seen it. */
  dataLoss?: DatasetLoss | null;
  /** Queues with unreadable keys. */
  unreadable?: readonly string[];
  queues: readonly { snapshot: QueueSnapshot; recentDeaths: number }[];
  workers: readonly Worker[];
}

export function verdictOf(input: VerdictInput): Verdict {
  return verdictFrom(findingsOf(input));
}

export const verdictFrom = (findings: readonly Finding[]): Verdict => ({
  level: findings[0]?.level ?? 'ok',
  total: { bad: countOf(findings, 'bad'), warn: countOf(findings, 'warn') },
  findings: findings.slice(0, FINDINGS_MAX),
});

const countOf = (findings: readonly Finding[], wanted: Finding['level']): number =>
  findings.reduce((sum, { level }) => (level === wanted ? sum + 1 : sum), 0);

/** The worst level of each queue with a finding. */
export function levelsOf(findings: readonly Finding[]): Map<string, Verdict['level']> {
  const levels = new Map<string, Verdict['level']>();
  // Findings are sorted: the first one of a queue is its worst.
  for (const { queue, level } of findings) if (queue !== null && !levels.has(queue)) levels.set(queue, level);
  return levels;
}

/** All findings, worst first. */
export function findingsOf({
  now,
  redisError,
  dataLoss = null,
  unreadable = [],
  queues,
  workers,
}: VerdictInput): readonly Finding[] {
  const findings: Finding[] = [];
  if (redisError)
    findings.push({
      level: 'bad',
      queue: null,
      code: 'REDIS',
      sentence: `${redisError} The numbers below are the last ones known.`,
    });
  if (dataLoss) findings.push(lossFinding(dataLoss));
  for (const queue of unreadable)
    findings.push({
      level: 'bad',
      queue,
      code: 'UNREADABLE',
      sentence: `${queue} cannot be read: one of its keys in Redis is not what Redrive wrote there.`,
    });
  for (const { snapshot, recentDeaths } of queues)
    findings.push(...queueFindings(snapshot, recentDeaths, now));
  const gone = workers.filter(
    (worker) =>
      (worker.status === 'lost' && now - worker.lastSeenAt < RECENT_CRASH_MS) ||
      (worker.status === 'crashed' && now - (worker.end?.at ?? 0) < RECENT_CRASH_MS),
  );
  if (gone.length > 0)
    findings.push({
      level: 'warn',
      queue: null,
      code: 'WORKERS_GONE',
      sentence: `${gone.length === 1 ? 'One worker' : `${gone.length} workers`} lost their heartbeat or crashed in the last minute.`,
    });
  findings.push(...breakerFindings(workers));
  const rank = { bad: 0, warn: 1, ok: 2 };
  findings.sort((a, b) => rank[a.level] - rank[b.level]);
  return findings;
}

/** In UTC; the browser shows `at` in the viewer's time zone. */
function lossFinding({ kind, lastSeenAt }: DatasetLoss): Finding {
  const moment = new Date(lastSeenAt).toISOString();
  const sentence =
    kind === 'emptied'
      ? `This Redis lost its data at ${moment}: it was emptied, or restarted without its data. Earlier jobs, schedules, settings and sign-ins are lost; running processes have registered again.`
      : `This Redis holds other data than at ${moment}: another server answers, or somebody loaded other data. Running processes have registered again.`;
  return { level: 'bad', queue: null, code: 'DATA_LOST', sentence, at: lastSeenAt };
}

/** One finding a job type, for any number of workers. */
function breakerFindings(workers: readonly Worker[]): Finding[] {
  const open = new Map<string, number>();
  for (const { status, breakers } of workers)
    if (status === 'running' || status === 'draining')
      for (const { jobType, state } of breakers)
        if (state !== 'closed') open.set(jobType, (open.get(jobType) ?? 0) + 1);
  return [...open].sort().map(([jobType, n]) => ({
    level: 'warn',
    queue: null,
    code: 'BREAKER',
    sentence: `The circuit breaker of ${jobType} is open on ${count(n, 'worker')}: its calls keep failing, so its jobs wait.`,
  }));
}

function queueFindings(q: QueueSnapshot, recentDeaths: number, now: number): Finding[] {
  const findings: Finding[] = [];
  const add = (level: 'warn' | 'bad', code: string, sentence: string) =>
    findings.push({ level, queue: q.queue, code, sentence });
  if (q.ledger.difference !== 0)
    add(
      'bad',
      'LEDGER',
      `The ledger of ${q.queue} is off by ${q.ledger.difference}: jobs were lost or counted twice.`,
    );
  const { unavailable } = q.shards;
  if (unavailable.length > 0)
    add(
      'bad',
      'SHARDS',
      `${unavailable.length === 1 ? `Shard ${unavailable[0]}` : `${unavailable.length} shards (${listed(unavailable)})`} of ${q.queue} cannot be read: its numbers cover the other ${q.shards.count - unavailable.length} only.`,
    );
  const whole = q.pauses.find((pause) => pause.scope === 'queue');
  const age = q.oldestReadyAgeMs ?? 0;
  if (q.counts.ready > 0 && q.workers === 0 && !whole)
    add(
      'bad',
      'NO_WORKERS',
      `${count(q.counts.ready, 'job')} ready in ${q.queue}, and no worker listens to it.`,
    );
  else if (age >= OLDEST_READY_WARN_MS && !whole)
    add(
      age >= OLDEST_READY_BAD_MS ? 'bad' : 'warn',
      'OLD',
      `The oldest ready job in ${q.queue} has waited ${minutes(age)}.`,
    );
  if ((q.overdueLeaseMs ?? 0) >= OVERDUE_WARN_MS)
    add(
      'warn',
      'OVERDUE',
      `A lease in ${q.queue} expired ${minutes(q.overdueLeaseMs ?? 0)} ago and was not reclaimed.`,
    );
  const ratio = q.rates.failureRatio ?? 0;
  const runs =
    ((q.rates.completedPerSecond ?? 0) + (q.rates.failedPerSecond ?? 0)) * (q.rates.windowMs / 1_000);
  if (ratio >= FAILURE_RATIO_WARN && runs >= 10)
    add(
      ratio >= FAILURE_RATIO_BAD ? 'bad' : 'warn',
      'FAILING',
      `${Math.round(ratio * 100)} % of runs in ${q.queue} fail.`,
    );
  if (recentDeaths > 0)
    add('warn', 'DYING', `${count(recentDeaths, 'job')} died in ${q.queue} in the last five minutes.`);
  const { jobs, limit } = q.depth;
  if (limit !== null && jobs >= limit)
    add(
      'bad',
      'FULL',
      `${q.queue} is full: ${jobs} of at most ${limit} jobs wait, and new ones are refused.`,
    );
  else if (limit !== null && jobs >= limit * DEPTH_WARN_SHARE)
    add(
      'warn',
      'NEARLY_FULL',
      `${q.queue} is ${Math.floor((jobs / limit) * 100)} % full: ${jobs} of at most ${limit} jobs wait.`,
    );
  if (q.deadExpireAt !== null && q.counts.dead > 0 && q.deadExpireAt - now <= DAY_MS)
    add(
      'warn',
      'EXPIRING',
      q.deadExpireAt <= now
        ? `Retention is deleting dead jobs in ${q.queue} (${q.counts.dead} left).`
        : `Retention deletes the oldest of ${count(q.counts.dead, 'dead job')} in ${q.queue} in ${minutes(q.deadExpireAt - now)}.`,
    );
  if (q.draining)
    add('warn', 'DRAINING', `${q.queue} is draining: it finishes its jobs and refuses new ones.`);
  for (const pause of q.pauses)
    add(
      'warn',
      'PAUSED',
      `${pause.scope === 'queue' ? q.queue : `${pause.scope.replace(':', ' ')} in ${q.queue}`} is paused by ${pause.actor}: ${pause.reason}`,
    );
  return findings;
}

const listed = (items: readonly number[]) =>
  items.length > NAMED
    ? `${items.slice(0, NAMED).join(', ')} and ${items.length - NAMED} more`
    : items.join(', ');
const minutes = (ms: number) =>
  ms < 60_000
    ? `${Math.round(ms / 1_000)} s`
    : ms < 3_600_000
      ? `${Math.round(ms / 60_000)} min`
      : `${(ms / 3_600_000).toFixed(1)} h`;
