/** The package: `import { createClient, createWorker, defineHandler } from 'redrive'`. */

export {
  type AckItem,
  type AckOutcome,
  type Actor,
  type ApplicationBroker as Broker,
  type BrokerOptions,
  type ClaimedJob,
  type ClaimResult,
  type CredentialsSource,
  createBroker,
  type FailItem,
  type FailOutcome,
  type Failure,
  type QueueReading,
  type RedisCredentials,
  type TriageOutcome,
  timeOrderedId,
} from './broker/application';
export {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  pauseSchedule,
  previewSchedule,
  resumeSchedule,
  runSchedule,
  tickSchedules,
} from './broker/schedules';
export type { EnqueueInput, EnqueueOutcome, EnqueueResult, Envelope } from './contract/jobs/envelope';
export type { ErrorClass } from './contract/jobs/error-classes';
export { ENQUEUE_MAX_JOBS, PAYLOAD_MAX_BYTES } from './contract/jobs/job-limits';
export type { HistoryEntry, JobDetail } from './contract/jobs/job-schemas';
export type { JobState } from './contract/jobs/job-states';
export type { PauseScope } from './contract/queues/pause-schemas';
export type { ConfigPatch, ConfigReply, QueueConfig } from './contract/queues/queue-config';
export { type ErrorCode, RedriveError } from './contract/redrive-error';
export type { Schedule, SchedulePatch, ScheduleRequest } from './contract/schedules/schedule-schemas';
export { createWorker, type WorkerWithConnection } from './sdk/client-worker';
export {
  type ChangeContext,
  type Client,
  type ClientOptions,
  createClient,
  type JobToEnqueue,
  type SendOptions,
} from './sdk/create-client';
export {
  defineJob,
  type Enqueueable,
  type EnqueueOptions,
  type JobDefinition,
  jobInput,
} from './sdk/job-definition';
export { memoryOnce, runHandler, type TestRun } from './sdk/run-handler';
export {
  type AbortReason,
  type BreakerOptions,
  type BreakerState,
  createLogger,
  createOnce,
  DeadlineError,
  DuplicateError,
  defineHandler,
  type Handler,
  type HandlerContext,
  type HandlerDefinition,
  JobAborted,
  JobError,
  type Logger,
  type LoggerOptions,
  MalformedError,
  type Once,
  type OnceDeps,
  OnceInProgressError,
  type OnceOptions,
  type OnceResult,
  OnceResultLostError,
  type OnceRun,
  PermanentError,
  RateLimitedError,
  RETRY_DEFAULT,
  RetryableError,
  type RetryPolicy,
  SILENT,
  stopOnSignals,
  type TypedHandler,
  UnsupportedVersionError,
  type Worker,
  type WorkerBroker,
  type WorkerEvent,
  type WorkerOptions,
  type WorkerState,
  type WorkerStatus,
} from './worker';
