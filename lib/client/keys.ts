/** Every query key. Built only here, so that a prefix always reaches what it should invalidate. */
import type { AuditFilter } from '@/lib/contract/audit';
import type { OPERATION_OUTCOMES, OperationKind, OperationStatus } from '@/lib/contract/operations';
import type { SchedulePreviewRequest } from '@/lib/contract/schedules';
import type { JobState } from '@/lib/contract/states';

export const keys = {
  overview: () => ['overview'] as const,
  queueNumbers: (queue: string) => ['queue-numbers', queue] as const,
  queuePage: (view: object) => ['queues', view] as const,
  queueNames: (q: string) => ['queue-names', q] as const,
  queue: (queue: string) => ['queue', queue] as const,

  config: (queue: string) => ['config', queue] as const,
  changes: (queue: string) => ['changes', queue] as const,

  /** Every page of every state of a queue. */
  jobsOf: (queue: string) => ['jobs', queue] as const,
  jobs: (queue: string, state: JobState, q: string, cursor: string | null, limit: number) =>
    ['jobs', queue, state, q, cursor, limit] as const,

  /** Every opened job of a queue. */
  jobOf: (queue: string) => ['job', queue] as const,
  job: (queue: string, id: string) => ['job', queue, id] as const,

  /** Everything read of dead letters: pages, facets, groups. */
  dead: () => ['dead'] as const,
  search: (q: string, cursor: string | null, limit: number) => ['dead', 'page', q, cursor, limit] as const,
  facets: (q: string) => ['dead', 'facets', q] as const,
  groups: (q: string) => ['dead', 'groups', q] as const,
  group: (group: string) => ['dead', 'group', group] as const,
  suggest: (q: string, caret: number, state: JobState, queue: string | null) =>
    ['suggest', q, caret, state, queue] as const,
  searches: () => ['searches'] as const,
  me: () => ['me'] as const,
  /** While a dialog waits for a sign-in or a proof. */
  meAnew: () => ['me-anew'] as const,
  signInOptions: () => ['sign-in-options'] as const,
  /** One's own. */
  sessions: () => ['sessions'] as const,
  /** Begins as one's own do, so that what ends a session reaches both. */
  sessionsPage: (all: boolean) => ['sessions', 'page', all] as const,
  people: () => ['people'] as const,
  tokens: () => ['tokens'] as const,
  tokensPage: (all: boolean) => ['tokens', 'page', all] as const,

  auditPage: (filter: AuditFilter, cursor: string | null) => ['audit', 'page', filter, cursor] as const,
  auditNewest: (filter: AuditFilter) => ['audit', 'newest', filter] as const,
  auditCheck: () => ['audit', 'check'] as const,

  operations: () => ['operations'] as const,
  /** What the stream says of operations that run now or ended lately. */
  operationsLive: () => ['operations', 'live'] as const,
  operationLists: () => ['operations', 'list'] as const,
  operationList: (
    cursor: string | null,
    limit: number,
    status: OperationStatus | null,
    kind: OperationKind | null,
  ) => ['operations', 'list', cursor, limit, status, kind] as const,
  operation: (id: string) => ['operations', 'one', id] as const,
  /** Every page of what became of the jobs of one operation. */
  operationJobsOf: (id: string) => ['operations', 'jobs', id] as const,
  operationJobs: (
    id: string,
    outcome: (typeof OPERATION_OUTCOMES)[number],
    cursor: string | null,
    limit: number,
  ) => ['operations', 'jobs', id, outcome, cursor, limit] as const,

  /** Every page of the list, and every opened schedule. */
  schedules: () => ['schedules'] as const,
  scheduleList: (cursor: string | null, limit: number) => ['schedules', 'list', cursor, limit] as const,
  schedule: (id: string) => ['schedules', 'one', id] as const,
  schedulePreview: (request: SchedulePreviewRequest | null) => ['schedule-preview', request] as const,

  workers: () => ['workers'] as const,
  lab: () => ['lab'] as const,
};

/** What a change to how one queue works makes stale: settings, draining, sharding. */
export const staleAfterSettingsOf = (queue: string) => [
  keys.config(queue),
  keys.changes(queue),
  keys.overview(),
  keys.queue(queue),
];

/** What starting, changing or undoing an operation makes stale. */
export const staleAfterOperation = (id?: string) => [
  keys.operationLists(),
  ...(id === undefined ? [] : [keys.operation(id), keys.operationJobsOf(id)]),
  keys.dead(),
  keys.overview(),
];

/** What a change to jobs of one queue makes stale. */
export const staleAfterJobsOf = (queue: string) => [
  keys.overview(),
  keys.queue(queue),
  keys.jobsOf(queue),
  keys.jobOf(queue),
  keys.dead(),
];
