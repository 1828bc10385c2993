/**
 * Every script that deals with several entries, and how many it takes at most. No script may hold Redis for more than 5 ms, or all others
 * notice it. testing/caps/script-batches.slow.redis.test.ts measures each job script at its limit against constant work.
 */
import type { ScriptName } from '../../lua.generated';

interface ScriptBatch {
  /** What one call takes, at most. Bytes of rows, and jobs with keys, limits or many tenants, end a call earlier. */
  readonly most: number;
  readonly of: string;
  /** Processor time of Redis at the limit, in ms, on the machine of docs/benchmarks.md. Left out: the entries are small rows. */
  readonly costMs?: number;
}

export const SCRIPT_BATCHES = {
  // Jobs on their way through a queue.
  enqueue: { most: 200, of: 'jobs; one with a key counts twice', costMs: 2.2 },
  'enqueue-audited': { most: 200, of: 'jobs; one with a key counts twice', costMs: 2.4 },
  'enqueue-new': { most: 200, of: 'jobs', costMs: 1 },
  'enqueue-keyed': { most: 200, of: 'jobs; one with a key counts twice', costMs: 0.6 },
  claim: { most: 500, of: 'jobs; keys, tenants and promoted jobs count, too', costMs: 2.8 },
  'claim-named': { most: 400, of: 'jobs; keys, tenants and promoted jobs count, too', costMs: 2.3 },
  'claim-abandon': { most: 500, of: 'jobs in flight' },
  ack: { most: 200, of: 'jobs; 128 KiB of results', costMs: 2.4 },
  exchange: { most: 500, of: 'jobs, completed and claimed together', costMs: 3.4 },
  'exchange-plain': { most: 500, of: 'jobs, completed and claimed together', costMs: 3.6 },
  extend: { most: 500, of: 'jobs', costMs: 1.3 },
  release: { most: 100, of: 'jobs', costMs: 1.5 },
  fail: { most: 50, of: 'jobs', costMs: 2 },
  reclaim: { most: 100, of: 'jobs', costMs: 1.5 },
  'reclaim-worker': { most: 100, of: 'jobs in flight', costMs: 2 },
  resume: { most: 100, of: 'held jobs', costMs: 0.4 },
  maintain: { most: 500, of: 'jobs and leftovers', costMs: 1 },
  repair: { most: 500, of: 'entries of each index', costMs: 0.2 },
  // Jobs that users and operations move: chunks end by bytes and by what the chunk before cost.
  redrive: { most: 200, of: 'jobs of a chunk; 50 named jobs', costMs: 1.6 },
  'set-aside': { most: 200, of: 'jobs of a chunk; 50 named jobs', costMs: 1.1 },
  restore: { most: 200, of: 'jobs of a chunk; 50 named jobs', costMs: 1 },
  cancel: { most: 200, of: 'jobs of a chunk; 50 named jobs', costMs: 1.5 },
  delete: { most: 200, of: 'jobs of a chunk; 50 named jobs', costMs: 1.3 },
  promote: { most: 200, of: 'jobs of a chunk; 50 named jobs', costMs: 0.6 },
  reschedule: { most: 200, of: 'jobs of a chunk' },
  recall: { most: 200, of: 'jobs of a chunk' },
  'transfer-send': { most: 200, of: 'jobs of a chunk' },
  'transfer-arrive': { most: 200, of: 'jobs of a chunk' },
  'transfer-settle': { most: 200, of: 'jobs of a chunk' },
  'redrive-check': { most: 200, of: 'jobs', costMs: 0.4 },
  // Readings of jobs.
  'read-rows': { most: 50, of: 'jobs', costMs: 0.3 },
  'index-page': { most: 500, of: 'entries of an index', costMs: 1 },
  'jobs-locate': { most: 500, of: 'ids' },
  'completed-sample': { most: 100, of: 'jobs' },
  'ready-sample': { most: 100, of: 'jobs' },
  search: { most: 1_000, of: 'entries, as many as take its time', costMs: 1.8 },
  'search-rows': { most: 50, of: 'jobs; 256 KiB', costMs: 0.4 },
  'search-groups': { most: 50, of: 'groups' },
  'search-aggregate': { most: 500, of: 'fields' },
  'registry-page': { most: 1_000, of: 'members of the registry' },
  'fields-read': { most: 500, of: 'fields' },
  'members-read': { most: 500, of: 'members' },
  'hash-read': { most: 5_000, of: 'fields' },
  'stream-tail': { most: 1_300, of: 'entries' },
  'reference-lookup': { most: 500, of: 'shards' },
  'reference-sweep': { most: 5_000, of: 'queues' },
  // Lists of the console, of small rows.
  'alerts-change': { most: 200, of: 'alerts and messages' },
  'audit-append': { most: 200, of: 'entries' },
  'audit-read': { most: 200, of: 'records' },
  'change-give-back': { most: 100, of: 'queues of a change' },
  'change-take': { most: 100, of: 'queues of a change' },
  configure: { most: 200, of: 'fields and tenants' },
  'delete-queue': { most: 500, of: 'fields' },
  heartbeat: { most: 50, of: 'workers that are forgotten' },
  'mark-add': { most: 100, of: 'marks' },
  'operation-delete': { most: 200, of: 'operations' },
  'operation-forget': { most: 500, of: 'fields' },
  pause: { most: 500, of: 'shares' },
  'pauses-copy': { most: 100, of: 'pauses' },
  'schedule-due': { most: 100, of: 'schedules' },
  'schedule-enter': { most: 50, of: 'jobs of a schedule' },
  'schedule-heads': { most: 50, of: 'schedules' },
  'session-begin': { most: 50, of: 'sessions that ended' },
  'share-give': { most: 200, of: 'members' },
  'times-add': { most: 100, of: 'buckets' },
  'token-create': { most: 50, of: 'tokens that ended' },
} as const satisfies Partial<Record<ScriptName, ScriptBatch>>;
