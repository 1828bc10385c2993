/** What other folders may use of the broker. */

export type { ClaimRef, Failure } from '@/lib/contract/jobs/claim-options';
export { CLAIM_MAX_JOBS, LEASE_DEFAULT_MS } from '@/lib/contract/jobs/job-limits';
export { type Actor, SYSTEM } from './access/actor';
export { type Broker, createBroker } from './application-broker';
export {
  AUDIT_GROWS_TO,
  type AuditEvent,
  type EntryFilter,
  entryText,
  FoldBuffer,
  FoldTimes,
  verifyFile,
} from './audit';
export type { ClaimResult } from './jobs/claim/claim-from-shard';
export type { ClaimedJob } from './jobs/claim/claimed-job';
export type { FailItem, FailOutcome } from './jobs/claim/fail-jobs';
export type { AckItem, AckOutcome } from './jobs/claim/settle-jobs';
export type { EnqueueAudit } from './jobs/enqueue/send-entries';
export { idFrom, randomId, timeOrderedId } from './jobs/job-id';
export type { OnceKept, OnceVerbs } from './jobs/once-records';
export type { TriageOutcome } from './jobs/triage/triage-verbs';
export type { LabSupervisor } from './lab/lab-records';
export { openBroker } from './open-broker';
export type { CheckAuthorization } from './operations/runner/run-slice';
export type { MeasuredTimes } from './queues/add-times';
export { BUCKETS_MS, joinSpans, percentileMs, RUN_TIME_BUCKETS_MS } from './queues/percentile';
export type { QueueReading } from './queues/queue-reading';
export {
  type MinuteRunTimes,
  slidingCount,
  slidingPerSecond,
} from './queues/recent-activity';
export type { BrokerOptions } from './redis/broker-context';
export { withDeadline } from './redis/call-deadline';
export { redisAdvice } from './redis/checks/redis-advice';
export type { CredentialsSource, RedisCredentials } from './redis/connection/redis-secrets';
export type { TlsFiles } from './redis/connection/tls-files';
export type { DatasetLoss } from './redis/dataset/dataset';
export type { RedisConnection } from './redis/redis-connection';
export {
  type AuditedCall,
  type AuditPurse,
  payForLater,
  withoutPurse,
  withPurse,
} from './redis/scripts/audit-purse';
export { DeadlineList } from './redis/scripts/deadline-list';
export type { Waiter } from './redis/waiter';
export type { WorkerReport } from './workers/worker-registry';
export type { ReportedRelease, WorkerRelease } from './workers/worker-releases';
