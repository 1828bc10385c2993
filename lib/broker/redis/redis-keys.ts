/**
 * The only file that knows key names; a test holds docs/redis-keys.md against it. A queue's columns share one hash tag, so one script may
 * touch all of them and one pattern is an access rule.
 */
import type { JobState } from '@/lib/contract/jobs/job-states';

export const COLUMNS = {
  jobs: 'hash',
  ready: 'zset',
  waiting: 'zset',
  inflight: 'zset',
  claims: 'hash',
  calls: 'hash',
  callEnds: 'zset',
  scheduled: 'zset',
  retry: 'zset',
  held: 'zset',
  heldBy: 'zset',
  attempts: 'hash',
  history: 'hash',
  dead: 'zset',
  deadBy: 'zset',
  deaths: 'hash',
  deadCounts: 'hash',
  groups: 'hash',
  suppressed: 'zset',
  trash: 'zset',
  completed: 'zset',
  finished: 'hash',
  finishedBefore: 'hash',
  results: 'hash',
  config: 'hash',
  pauses: 'hash',
  pauseShares: 'hash',
  limits: 'hash',
  running: 'hash',
  throttled: 'zset',
  fair: 'zset',
  unique: 'hash',
  uniqueUntil: 'zset',
  occurrences: 'hash',
  changes: 'stream',
  audit: 'stream',
  counters: 'hash',
  minutes: 'hash',
  minuteRows: 'stream',
  minuteBlocks: 'stream',
  tenMinuteRows: 'stream',
  tallies: 'hash',
  wake: 'zset',
  events: 'stream',
  operations: 'hash',
  redriven: 'hash',
  outcomes: 'zset',
} as const;
export type Column = keyof typeof COLUMNS;

/** Keys outside queues. Their tags start with a dot, which no queue name can. */
export const GLOBAL_KEYS = {
  queues: { name: 'queues', type: 'zset' },
  queuesSharding: { name: '{.queues}:sharding', type: 'hash' },
  queuesShares: { name: '{.queues}:shares', type: 'hash' },
  dataset: { name: '{.dataset}:id', type: 'string' },
  schedulesDue: { name: '{.schedules}:due', type: 'zset' },
  schedulesRecords: { name: '{.schedules}:records', type: 'hash' },
  schedulesShares: { name: '{.schedules}:shares', type: 'hash' },
  onceCounters: { name: '{.once}:counters', type: 'hash' },
  workersSeen: { name: '{.workers}:seen', type: 'zset' },
  workersInfo: { name: '{.workers}:info', type: 'hash' },
  workersSchemas: { name: '{.workers}:schemas', type: 'hash' },
  operationsIndex: { name: '{.operations}:index', type: 'zset' },
  operationsRecords: { name: '{.operations}:records', type: 'hash' },
  operationsShares: { name: '{.operations}:shares', type: 'hash' },
  groupsNotes: { name: '{.groups}:notes', type: 'hash' },
  searchesRecords: { name: '{.searches}:records', type: 'hash' },
  searchesShares: { name: '{.searches}:shares', type: 'hash' },
  searchCursorKey: { name: '{.search}:cursor-key', type: 'string' },
  accessSessions: { name: '{.access}:sessions', type: 'hash' },
  accessSessionEnds: { name: '{.access}:sessionEnds', type: 'zset' },
  accessUsers: { name: '{.access}:users', type: 'hash' },
  accessGrants: { name: '{.access}:grants', type: 'hash' },
  accessTokens: { name: '{.access}:tokens', type: 'hash' },
  accessShares: { name: '{.access}:shares', type: 'hash' },
  accessTokenEnds: { name: '{.access}:tokenEnds', type: 'zset' },
  accessAttempts: { name: '{.access}:attempts', type: 'hash' },
  accessNetworkAttempts: { name: '{.access}:network-attempts', type: 'hash' },
  accessUserAttempts: { name: '{.access}:user-attempts', type: 'hash' },
  accessLinks: { name: '{.access}:links', type: 'hash' },
  accessAudit: { name: '{.access}:audit', type: 'stream' },
  schedulesAudit: { name: '{.schedules}:audit', type: 'stream' },
  operationsAudit: { name: '{.operations}:audit', type: 'stream' },
  groupsShares: { name: '{.groups}:shares', type: 'hash' },
  groupsAudit: { name: '{.groups}:audit', type: 'stream' },
  searchesAudit: { name: '{.searches}:audit', type: 'stream' },
  labAudit: { name: '{.lab}:audit', type: 'stream' },
  queuesAudit: { name: '{.queues}:audit', type: 'stream' },
  historyMinuteRows: { name: '{.history}:minuteRows', type: 'stream' },
  historyMinuteBlocks: { name: '{.history}:minuteBlocks', type: 'stream' },
  historyTenMinuteRows: { name: '{.history}:tenMinuteRows', type: 'stream' },
  auditEntries: { name: '{.audit}:entries', type: 'stream' },
  auditHead: { name: '{.audit}:head', type: 'hash' },
  labSettings: { name: '{.lab}:settings', type: 'string' },
  labSupervisor: { name: '{.lab}:supervisor', type: 'string' },
  labCrashes: { name: '{.lab}:crashes', type: 'list' },
  labSession: { name: '{.lab}:session', type: 'hash' },
  labSamples: { name: '{.lab}:samples', type: 'list' },
  labDrills: { name: '{.lab}:drills', type: 'list' },
  labBursts: { name: '{.lab}:bursts', type: 'list' },
} as const;
export type GlobalKey = keyof typeof GLOBAL_KEYS;

/** Families of keys, each key with its own tag and time to live. `<digest>`: 40 hex digits, never a user's text. */
export const KEY_FAMILIES = {
  once: { name: '{.once.<digest>}', type: 'string' },
  preview: { name: '{.preview.<digest>}', type: 'string' },
} as const;

export const createKeys = (prefix: string) => ({
  prefix,
  column: (queue: string, column: Column): string => `${prefix}:{${queue}}:${column}`,
  global: (key: GlobalKey): string => `${prefix}:${GLOBAL_KEYS[key].name}`,
  /** The mark of one piece of work that must not be done twice. */
  once: (digest: string): string => `${prefix}:${KEY_FAMILIES.once.name.replace('<digest>', digest)}`,
  /** The result of a preview, until it is confirmed or expires. */
  preview: (digest: string): string => `${prefix}:${KEY_FAMILIES.preview.name.replace('<digest>', digest)}`,
});
export type Keys = Readonly<ReturnType<typeof createKeys>>;

export const STATE_COLUMN = {
  ready: 'ready',
  'in-flight': 'inflight',
  scheduled: 'scheduled',
  retry: 'retry',
  held: 'held',
  completed: 'completed',
  dead: 'dead',
  suppressed: 'suppressed',
  trashed: 'trash',
} as const satisfies Record<JobState, Column>;
