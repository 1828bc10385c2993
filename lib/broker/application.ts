/** What the package, workers and their tools use of the broker. Nothing of the console is behind it. */

export type { ClaimRef, Failure } from '@/lib/contract/jobs/claim-options';
export { CLAIM_MAX_JOBS, LEASE_DEFAULT_MS } from '@/lib/contract/jobs/job-limits';
export { type Actor, SYSTEM } from './access/actor';
export { createBroker } from './application-broker';
export type { ApplicationBroker } from './engine/broker';
export type { Engine } from './engine/engine';
export type { ClaimResult } from './jobs/claim/claim-from-shard';
export type { ClaimedJob } from './jobs/claim/claimed-job';
export type { FailItem, FailOutcome } from './jobs/claim/fail-jobs';
export type { AckItem, AckOutcome } from './jobs/claim/settle-jobs';
export type { EnqueueAudit } from './jobs/enqueue/send-entries';
export { idFrom, randomId, timeOrderedId } from './jobs/job-id';
export type { OnceKept, OnceVerbs } from './jobs/once-records';
export type { TriageOutcome } from './jobs/triage/triage-verbs';
export type { MeasuredTimes } from './queues/add-times';
export { RUN_TIME_BUCKETS_MS } from './queues/percentile';
export type { QueueReading } from './queues/queue-reading';
export type { BrokerOptions } from './redis/broker-context';
export { withDeadline } from './redis/call-deadline';
export type { CredentialsSource, RedisCredentials } from './redis/connection/redis-secrets';
export type { TlsFiles } from './redis/connection/tls-files';
export type { RedisConnection } from './redis/redis-connection';
export { DeadlineList } from './redis/scripts/deadline-list';
export type { Waiter } from './redis/waiter';
export type { WorkerReport } from './workers/worker-registry';
export type { ReportedRelease, WorkerRelease } from './workers/worker-releases';
