/** What other folders may use of the broker. */

export { CLAIM_MAX_JOBS, type ClaimRef, type Failure, LEASE_DEFAULT_MS } from '@/lib/contract/verbs';
export { AUDIT_GROWS_TO, type AuditNote, entryText, Holding, type MaySee, verifyAuditFile } from './audit';
export { cutPart } from './audit/change-text';
export { type Broker, createBroker } from './broker';
export { rightsOf } from './bulk/create';
export type { MayGoOn } from './bulk/step';
export type { RedisConnection, TlsFiles } from './connection';
export type { BrokerOptions } from './context';
export type { DatasetLoss } from './dataset';
export { withDeadline } from './deadline';
export { idFrom, randomId, timeOrderedId } from './id';
export { type QueueReading, RUN_TIME_BUCKETS_MS } from './inspect/snapshot';
export type { LabSupervisor } from './lab';
export { type Actor, SYSTEM } from './note';
export type { OnceKept, OnceVerbs } from './once';
export { shortId, slotJobId, slotsPerCall } from './schedules/enter';
export { SECRET_CHARS } from './schedules/row';
export type { AckItem, AckOutcome } from './verbs/ack';
export type { ClaimedJob, ClaimResult } from './verbs/claim';
export type { EnqueueNote } from './verbs/enqueue';
export type { FailItem, FailOutcome } from './verbs/fail';
export type { TriageOutcome } from './verbs/triage';
export type { Waiter } from './wait';
export type { WorkerReport } from './workers';
