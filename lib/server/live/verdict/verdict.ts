/**
 * The verdict: one pure function from the numbers to sentences about problems. One incident is one finding, the cause before its symptoms;
 * the same trouble of many queues is one finding, too. Order and ids follow the kind, so that rows keep their places while numbers change.
 */
import type { DatasetLoss } from '@/lib/broker';
import type { RedisTrouble } from '@/lib/broker/redis/checks/redis-trouble';
import type { OverdueSchedule } from '@/lib/broker/schedules/overdue-schedules';
import { QUEUE_CODES, type QueueCode } from '@/lib/contract/alerts/finding-codes';
import type { Operation } from '@/lib/contract/operations/operation';
import { isBadResult, operationResult } from '@/lib/contract/operations/operation-result';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import type { FindingAction, QueueSnapshot, Verdict } from '@/lib/contract/queues/queue-schemas';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { count, listed } from '@/lib/format/plural';
import { failureFindings, type NewFailure, queuesOf } from './failure-findings';
import {
  type FailingType,
  type Finding,
  isPausedWhole,
  type Level,
  losesRuns,
  QUEUE_RULES,
} from './queue-rules';
import { overdueFindings, redisTroubleFindings } from './service-findings';
import { isOfUnknownJobs, recentUnknownJobs, unknownJobFindings } from './unknown-job-findings';
import { openBreakers, recentLoss, type WorkerLoss } from './worker-findings';

/** Queues that a finding names. */
const NAMED_MAX = 10;
const FINDINGS_MAX = 50;

export interface VerdictInput {
  now: number;
  redisError: string | null;
  /** The data of this Redis were lost within the day. */
  dataLoss?: DatasetLoss | null;
  /** Queues with unreadable keys. */
  unreadable?: readonly string[];
  /** Members of the registry of queues that are not read because there are too many. */
  unreadNames?: number;
  queues: readonly QueueSnapshot[];
  workers: readonly Worker[];
  /** The live ones, the latest first. */
  operations?: readonly Operation[];
  /** What Redis reports about itself. */
  redisTrouble?: readonly RedisTrouble[];
  /** Schedules whose run is overdue. */
  overdue?: readonly OverdueSchedule[];
  /** Failure groups that were first seen within the hour. */
  failures?: readonly NewFailure[];
  /** Failing queues whose failed runs are mostly of one job type. */
  failingTypes?: ReadonlyMap<string, FailingType>;
  /** Queues that a finding names; default 10. */
  namedMax?: number;
  /** The viewer may open the page about Redis; default true. */
  seesRedis?: boolean;
}

export interface Evaluation {
  readonly verdict: Verdict;
  /** The worst level of each queue with a finding. */
  readonly levels: ReadonlyMap<string, Level>;
}

interface Condition {
  readonly code: QueueCode;
  readonly level: Level;
  readonly queue: QueueSnapshot;
}

export function evaluate(input: VerdictInput): Evaluation {
  const { now, redisError, dataLoss, unreadable = [], queues, workers, operations = [] } = input;
  const {
    redisTrouble = [],
    overdue = [],
    failures = [],
    failingTypes = new Map(),
    namedMax = NAMED_MAX,
    seesRedis = true,
    unreadNames = 0,
  } = input;
  const named: Namer = (all) => namedOf(all, namedMax);
  const conditions = queues.flatMap((queue) => conditionsOf(queue, now));
  const levels = new Map<string, Level>(unreadable.map((queue) => [queue, 'bad']));
  for (const { queue, level } of conditions)
    if (levels.get(queue.queue) !== 'bad') levels.set(queue.queue, level);
  const unknown = recentUnknownJobs(workers, now);
  for (const queue of [...queuesOf(failures), ...unknown.map((job) => job.queue)])
    if (!levels.has(queue)) levels.set(queue, 'warn');
  const loss = recentLoss(workers, now);
  const symptoms = loss === null ? [] : conditions.filter((one) => isSymptomOf(loss, one));
  const own = conditions.filter((one) => !symptoms.includes(one) && !isExplained(one, conditions));
  const of = (...codes: QueueCode[]) =>
    codes.flatMap((code) => folded(code, own, { now, named, failingTypes }));
  const findings = [
    ...(redisError === null ? [] : [redisFinding(redisError, seesRedis)]),
    ...(dataLoss ? [lossFinding(dataLoss, seesRedis)] : []),
    ...redisTroubleFindings(redisTrouble),
    ...operationFindings(operations),
    ...unreadableFindings(unreadable, named),
    ...registryFindings(unreadNames),
    ...of('LEDGER', 'SHARDS'),
    ...(loss === null
      ? []
      : [
          workersFinding(
            loss,
            symptoms,
            queues.filter(({ queue }) => loss.queues.has(queue)),
            named,
          ),
        ]),
    ...unknownJobFindings(unknown, queues, now, named),
    ...failureFindings(
      failures.filter((failure) => !isOfUnknownJobs(failure, unknown)),
      now,
      named,
    ),
    ...of('FAILING'),
    ...breakerFindings(workers),
    ...overdueFindings(overdue, now, named),
    ...of('NO_WORKERS', 'OVERDUE', 'OLD', 'DEEP', 'FULL', 'NEARLY_FULL', 'EXPIRING', 'DRAINING', 'PAUSED'),
  ];
  return { verdict: verdictFrom(findings), levels };
}

export const verdictFrom = (findings: readonly Finding[]): Verdict => {
  const total = { bad: countOf(findings, 'bad'), warn: countOf(findings, 'warn') };
  return {
    level: total.bad > 0 ? 'bad' : total.warn > 0 ? 'warn' : 'ok',
    total,
    findings: findings.slice(0, FINDINGS_MAX),
  };
};

const countOf = (findings: readonly Finding[], wanted: Level): number =>
  findings.reduce((sum, { level }) => (level === wanted ? sum + 1 : sum), 0);

function conditionsOf(queue: QueueSnapshot, now: number): Condition[] {
  return QUEUE_CODES.flatMap((code) => {
    const level = QUEUE_RULES[code].level(queue, now);
    return level === null ? [] : [{ code, level, queue }];
  });
}

/** Workers that die leave their queues without workers, their leases overdue, their runs lost and their jobs waiting. */
const isSymptomOf = ({ queues }: WorkerLoss, { code, queue }: Condition): boolean =>
  queues.has(queue.queue) &&
  (code === 'NO_WORKERS' ||
    code === 'OVERDUE' ||
    code === 'OLD' ||
    code === 'DEEP' ||
    (code === 'FAILING' && losesRuns(queue)));

const EXPLAINED: ReadonlySet<QueueCode> = new Set(['OLD', 'DEEP', 'OVERDUE']);

/** Jobs of a queue wait because it has no worker, or because its runs fail. */
const isExplained = ({ code, queue }: Condition, all: readonly Condition[]): boolean =>
  EXPLAINED.has(code) &&
  all.some(
    (one) =>
      one.queue === queue && (one.code === 'NO_WORKERS' || (one.code === 'FAILING' && code !== 'OVERDUE')),
  );

/** All conditions of one kind as one finding; none: nothing. */
function folded(
  code: QueueCode,
  conditions: readonly Condition[],
  { now, named, failingTypes }: Folding,
): Finding[] {
  const alike = conditions
    .filter((one) => one.code === code)
    .sort((a, b) => (a.queue.queue < b.queue.queue ? -1 : 1));
  const [first] = alike;
  if (!first) return [];
  const { one, many, detail, evidence, several, actions = () => [] } = QUEUE_RULES[code];
  const queues = alike.map(({ queue }) => queue);
  const isOne = queues.length === 1;
  const shown = isOne ? evidence(first.queue) : several(queues);
  const needsNoQueue = (action: FindingAction): boolean =>
    OF_PAGES.has(action) || (action === 'redrive' && shown.page === 'dead' && shown.q.startsWith('queue:'));
  // A lost run is counted for no type.
  const typeOf = (queue: QueueSnapshot) =>
    code === 'FAILING' && !losesRuns(queue) ? failingTypes.get(queue.queue) : undefined;
  const texts = queues.map((queue) =>
    detail ? `${queue.queue} ${detail(queue, typeOf(queue))}` : queue.queue,
  );
  const type = isOne ? typeOf(first.queue) : undefined;
  return [
    {
      id: code,
      level: alike.some(({ level }) => level === 'bad') ? 'bad' : 'warn',
      code,
      queue: isOne ? first.queue.queue : null,
      queues: named(queues),
      sentence: isOne ? one(first.queue, now, type) : `${many(queues)}: ${listed(texts)}.`,
      evidence: shown,
      actions: [...new Set(queues.flatMap(actions))].filter((action) => isOne || needsNoQueue(action)),
      ...(type ? { pause: { queue: first.queue.queue, jobType: type.jobType } } : {}),
      ...(type && shown.page === 'dead' ? { redriveQuery: `${shown.q} type:${type.jobType}` } : {}),
    },
  ];
}

interface Folding {
  readonly now: number;
  readonly named: Namer;
  readonly failingTypes: ReadonlyMap<string, FailingType>;
}

/** Actions that open a page, and need no queue. A re-drive needs none where the evidence names the queues. */
const OF_PAGES: ReadonlySet<FindingAction> = new Set(['workers', 'redis']);

type Namer = (queues: readonly Pick<QueueSnapshot, 'queue'>[]) => Finding['queues'];
const namedOf = (queues: Parameters<Namer>[0], most: number): Finding['queues'] => ({
  total: queues.length,
  named: queues.slice(0, most).map(({ queue }) => queue),
});
const NO_QUEUES: Finding['queues'] = { total: 0, named: [] };

/** @param seesRedis may open the page about Redis */
const redisFinding = (error: string, seesRedis: boolean): Finding => ({
  id: 'REDIS',
  level: 'bad',
  code: 'REDIS',
  queue: null,
  queues: NO_QUEUES,
  sentence: `${error} The numbers below are the last ones known.`,
  evidence: seesRedis ? { page: 'redis' } : null,
  actions: [],
});

/** In UTC; the browser shows `at` in the viewer's time zone. */
function lossFinding({ kind, lastSeenAt }: DatasetLoss, seesRedis: boolean): Finding {
  const moment = new Date(lastSeenAt).toISOString();
  const sentence =
    kind === 'emptied'
      ? `This Redis lost its data at ${moment}: it was emptied, or restarted without its data. Earlier jobs, schedules, settings and sign-ins are lost; running processes have registered again.`
      : `This Redis holds other data than at ${moment}: another server answers, or somebody loaded other data. Running processes have registered again.`;
  return {
    ...redisFinding('', seesRedis),
    id: 'DATA_LOST',
    code: 'DATA_LOST',
    sentence,
    at: lastSeenAt,
  };
}

function operationFindings(operations: readonly Operation[]): Finding[] {
  const bad = operations.filter(isBadResult);
  const [first] = bad;
  if (!first) return [];
  const said = (operation: Operation) =>
    `${KIND_LABELS[operation.kind].verb}: ${operationResult(operation).label}`;
  return [
    {
      id: 'OPERATION',
      level: 'bad',
      code: 'OPERATION',
      queue: null,
      queues: NO_QUEUES,
      sentence: bad.length === 1 ? `${said(first)}.` : `${bad.length} operations went wrong. ${said(first)}.`,
      evidence: bad.length === 1 ? { page: 'operation', operation: first.id } : { page: 'operations' },
      actions: [],
    },
  ];
}

function registryFindings(unread: number): Finding[] {
  if (unread === 0) return [];
  return [
    {
      id: 'UNREADABLE:registry',
      level: 'bad',
      code: 'UNREADABLE',
      queue: null,
      queues: NO_QUEUES,
      sentence: `${unread.toLocaleString('en-US')} names in the registry of queues are not read, because there are too many: some queues may be missing here.`,
      evidence: { page: 'redis' },
      actions: [],
    },
  ];
}

function unreadableFindings(names: readonly string[], named: Namer): Finding[] {
  const [first] = names;
  if (first === undefined) return [];
  const isOne = names.length === 1;
  return [
    {
      id: 'UNREADABLE',
      level: 'bad',
      code: 'UNREADABLE',
      queue: isOne ? first : null,
      queues: named(names.map((queue) => ({ queue }))),
      sentence: isOne
        ? `${first} cannot be read: one of its keys in Redis is not what Redrive wrote there, or is larger.`
        : `${names.length} queues cannot be read: keys in Redis are not what Redrive wrote there, or are larger: ${listed(names)}.`,
      // The lists leave out what cannot be read; the page of a queue names its key.
      evidence: { page: 'queue', queue: first },
      actions: [],
    },
  ];
}

/**
 * "74 worker crashes in 1 min (SIGKILL, 4 of 4 workers) → 3 queues have no worker, 430 jobs waiting".
 * @param served the queues of these workers: their jobs wait, with a symptom or without
 */
function workersFinding(
  loss: WorkerLoss,
  symptoms: readonly Condition[],
  served: readonly QueueSnapshot[],
  named: Namer,
): Finding {
  const affected = [...new Set(symptoms.map(({ queue }) => queue))].sort((a, b) =>
    a.queue < b.queue ? -1 : 1,
  );
  const without = affected.filter(({ workers }) => workers === 0);
  // Jobs of a paused queue wait for somebody to resume it.
  const waiting = served
    .filter((queue) => !isPausedWhole(queue))
    .reduce((sum, { counts }) => sum + counts.ready, 0);
  const losing = symptoms.filter(({ code }) => code === 'FAILING').map(({ queue }) => queue.queue);
  const effect = without.length > 0 ? 'no-worker' : losing.length > 0 ? 'lost-runs' : 'none';
  const effects = [
    effect === 'no-worker'
      ? `${count(without.length, 'queue')} ${without.length === 1 ? 'has' : 'have'} no worker`
      : '',
    effect === 'lost-runs' ? `runs are lost in ${listed(losing)}` : '',
    waiting > 0 ? `${count(waiting, 'job')} waiting` : '',
  ].filter(Boolean);
  const isBad = loss.isMost || symptoms.some(({ level }) => level === 'bad');
  return {
    id: 'WORKERS_GONE',
    level: isBad ? 'bad' : 'warn',
    code: 'WORKERS_GONE',
    queue: null,
    queues: named(affected),
    sentence: `${loss.text}${effects.length > 0 ? ` → ${effects.join(', ')}` : ''}.`,
    // Between two crashes of all workers it changes every few seconds.
    cause: effect,
    evidence: { page: 'workers' },
    actions: ['workers'],
  };
}

/** One finding, for any number of types and workers. */
function breakerFindings(workers: readonly Worker[]): Finding[] {
  const open = [...openBreakers(workers)];
  const [first] = open;
  if (!first) return [];
  const [jobType, n] = first;
  return [
    {
      id: 'BREAKER',
      level: 'warn',
      code: 'BREAKER',
      queue: null,
      queues: NO_QUEUES,
      sentence:
        open.length === 1
          ? `The circuit breaker of ${jobType} is open on ${count(n, 'worker')}: its calls keep failing, so its jobs wait.`
          : `The circuit breakers of ${open.length} job types are open: ${listed(open.map(([type]) => type))}. Their calls keep failing, so their jobs wait.`,
      evidence: { page: 'workers' },
      actions: ['workers'],
    },
  ];
}
