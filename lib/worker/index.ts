/** The worker runtime: what an application imports to run jobs. */

export {
  RECONNECT_POLICY,
  RETRY_DEFAULT,
  type RetryPolicy,
  retryDelayMs,
} from '@/lib/contract/jobs/retry-policy';
export {
  type BackgroundLoop,
  type BackgroundLoopOptions,
  startBackgroundLoop,
} from '../process/background-loop';
export { createWorker } from './create-worker';
export type { BreakerOptions, BreakerState } from './run/circuit-breaker';
export {
  createOnce,
  type Once,
  type OnceDeps,
  type OnceOptions,
  type OnceResult,
  type OnceRun,
} from './run/create-once';
export {
  defineHandler,
  type Handler,
  type HandlerContext,
  type HandlerDefinition,
  type TypedHandler,
} from './run/handler';
export {
  type Classified,
  classify,
  DeadlineError,
  DuplicateError,
  JobError,
  type JobErrorOptions,
  MalformedError,
  OnceInProgressError,
  OnceResultLostError,
  PermanentError,
  RateLimitedError,
  RetryableError,
  UnsupportedVersionError,
} from './run/job-errors';
export { stopOnSignals } from './stop-on-signals';
export { withCallDeadline } from './worker-deadline';
export { createLogger, type LoggerOptions } from './worker-logging';
export type { WorkerOptions } from './worker-options';
export {
  type AbortReason,
  type Clock,
  JobAborted,
  type Logger,
  SILENT,
  type Worker,
  type WorkerBroker,
  type WorkerEvent,
  type WorkerState,
  type WorkerStatus,
} from './worker-types';
