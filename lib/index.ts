/** The package: `import { createClient, createWorker, defineHandler } from 'redrive'`. */

export {
  type AckItem,
  type AckOutcome,
  type Actor,
  type Broker,
  type BrokerOptions,
  type ClaimedJob,
  type ClaimResult,
  createBroker,
  type FailItem,
  type FailOutcome,
  type Failure,
  type QueueReading,
  type TriageOutcome,
  timeOrderedId,
} from './broker';
export type { ConfigPatch, ConfigReply, QueueConfig } from './contract/config';
export {
  ENQUEUE_MAX_JOBS,
  type EnqueueInput,
  type EnqueueOutcome,
  type EnqueueResult,
  type Envelope,
  PAYLOAD_MAX_BYTES,
} from './contract/envelope';
export { type ErrorCode, RedriveError } from './contract/errors';
export type { ErrorClass } from './contract/failures';
export type { HistoryEntry, JobDetail } from './contract/job';
export type { PauseScope } from './contract/queue';
export type { Schedule, SchedulePatch, ScheduleRequest } from './contract/schedules';
export type { JobState } from './contract/states';
export {
  type Client,
  type ClientOptions,
  createClient,
  type JobToEnqueue,
  type Note,
  type SendOptions,
} from './library/client';
export {
  defineJob,
  type Enqueueable,
  type EnqueueOptions,
  type JobDefinition,
  jobInput,
} from './library/job';
export { memoryOnce, runHandler, type TestRun } from './library/run-handler';
export { createWorker, type WorkerWithConnection } from './library/worker';
export {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  pauseSchedule,
  previewSchedule,
  resumeSchedule,
  runSchedule,
  tickSchedules,
} from './schedules';
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
  type Prepared,
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
