/** All query keys: those that change together share a prefix. */
import type { AuditFilter } from '@/lib/contract/audit/audit-schemas';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type {
  OPERATION_OUTCOMES,
  OperationKind,
  OperationStatus,
} from '@/lib/contract/operations/operation-kinds';
import type { SchedulePreviewRequest } from '@/lib/contract/schedules/schedule-schemas';

export const keys = {
  overview: () => ['overview'] as const,
  queueNumbers: (queue: string) => ['queue-numbers', queue] as const,
  minutes: (queues: string) => ['minutes', queues] as const,
  history: (query: object) => ['history', query] as const,
  queuePage: (view: object) => ['queues', view] as const,
  queueNames: (q: string) => ['queue-names', q] as const,
  queue: (queue: string) => ['queue', queue] as const,

  config: (queue: string) => ['config', queue] as const,
  changes: (queue: string) => ['changes', queue] as const,
  breakdown: (queue: string) => ['breakdown', queue] as const,
  queueMemory: (queue: string) => ['queue-memory', queue] as const,

  /** Every page of every state of a queue. */
  jobsOf: (queue: string) => ['jobs', queue] as const,
  jobs: (queue: string, state: JobState, q: string, cursor: string | null) =>
    ['jobs', queue, state, q, cursor] as const,

  /** The first page as it is while the shown one stands still. */
  jobsNewest: (queue: string, state: JobState, q: string) => ['jobs', queue, 'newest', state, q] as const,

  /** Every job of a queue shown in full. */
  jobOf: (queue: string) => ['job', queue] as const,
  job: (queue: string, id: string) => ['job', queue, id] as const,

  /** Pages, facets and groups of dead letters. */
  dead: () => ['dead'] as const,
  search: (q: string, cursor: string | null) => ['dead', 'page', q, cursor] as const,
  searchNewest: (q: string) => ['dead', 'newest', q] as const,
  facets: (q: string) => ['dead', 'facets', q] as const,
  groups: (q: string) => ['dead', 'groups', q] as const,
  groupsWithFacets: (q: string) => ['dead', 'groups', q, 'facets'] as const,
  group: (group: string) => ['dead', 'group', group] as const,
  find: (q: string) => ['find', q] as const,
  suggest: (q: string, caret: number, state: JobState, queue: string | null) =>
    ['suggest', q, caret, state, queue] as const,
  searches: () => ['searches'] as const,
  me: () => ['me'] as const,
  /** While a dialog waits for a sign-in or re-authentication. */
  meAnew: () => ['me-anew'] as const,
  signInOptions: () => ['sign-in-options'] as const,
  /** The user's own sessions. */
  sessions: () => ['sessions'] as const,
  /** Has the prefix of `sessions`, so that ending a session refreshes both. */
  sessionsPage: (all: boolean) => ['sessions', 'page', all] as const,
  users: () => ['users'] as const,
  tokens: () => ['tokens'] as const,
  tokensPage: (all: boolean) => ['tokens', 'page', all] as const,

  auditPage: (filter: AuditFilter, cursor: string | null) => ['audit', 'page', filter, cursor] as const,
  auditNewest: (filter: AuditFilter) => ['audit', 'newest', filter] as const,
  auditCheck: () => ['audit', 'check'] as const,

  /** Operations that run now or ended lately, from the stream. */
  operationsLive: () => ['operations', 'live'] as const,
  operationLists: () => ['operations', 'list'] as const,
  operationList: (
    cursor: string | null,
    status: OperationStatus | null,
    kind: OperationKind | null,
    q = '',
  ) => ['operations', 'list', cursor, status, kind, q] as const,
  operation: (id: string) => ['operations', 'one', id] as const,
  operationPreview: (request: string) => ['operation-preview', request] as const,
  /** Every page of the outcome of one operation. */
  operationJobsOf: (id: string) => ['operations', 'jobs', id] as const,
  operationJobs: (id: string, outcome: (typeof OPERATION_OUTCOMES)[number], cursor: string | null) =>
    ['operations', 'jobs', id, outcome, cursor] as const,

  /** Every page of the list, and every opened schedule. */
  schedules: () => ['schedules'] as const,
  scheduleList: (cursor: string | null, q = '') => ['schedules', 'list', cursor, q] as const,
  schedule: (id: string) => ['schedules', 'one', id] as const,
  scheduleRuns: (id: string) => ['schedules', 'runs', id] as const,
  schedulePreview: (request: SchedulePreviewRequest | null) => ['schedule-preview', request] as const,

  /** The prefix of every list of alerts. */
  alerts: () => ['alerts'] as const,
  endedAlerts: (cursor: string | null) => ['alerts', 'ended', cursor] as const,
  alertDeliveries: (alertId: string | null, cursor: string | null) =>
    ['alerts', 'deliveries', alertId, cursor] as const,

  workers: () => ['workers'] as const,
  workerJobs: (workerId: string) => ['worker-jobs', workerId] as const,
  redisChecks: () => ['redis-checks'] as const,
  labEvents: () => ['lab-events'] as const,
  labSamples: () => ['lab-samples'] as const,
  lab: () => ['lab'] as const,
};

/** To refresh after a change to a queue's settings, draining or shards. */
export const staleAfterSettingsOf = (queue: string) => [
  keys.config(queue),
  keys.changes(queue),
  keys.overview(),
  keys.queue(queue),
];

/** To refresh after an operation was started, changed or undone. */
export const staleAfterOperation = (id?: string) => [
  keys.operationLists(),
  ...(id === undefined ? [] : [keys.operation(id), keys.operationJobsOf(id)]),
  keys.dead(),
  keys.overview(),
];

/** To refresh after a change to jobs of one queue. */
export const staleAfterJobsOf = (queue: string) => [
  keys.overview(),
  keys.queue(queue),
  keys.jobsOf(queue),
  keys.jobOf(queue),
  keys.dead(),
];
