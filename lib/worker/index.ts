/** The worker runtime: what an application imports to run jobs. */

export { RECONNECT, RETRY_DEFAULT, type RetryPolicy, retryDelayMs } from '@/lib/contract/retry';
export type { BreakerOptions, BreakerState } from './breaker';
export { withDeadline } from './deadline';
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
} from './errors';
export {
  defineHandler,
  type Handler,
  type HandlerContext,
  type HandlerDefinition,
  type Prepared,
  type TypedHandler,
} from './handler';
export { createLogger, type LoggerOptions } from './logging';
export { type Loop, type LoopOptions, startLoop } from './loop';
export {
  createOnce,
  type Once,
  type OnceDeps,
  type OnceOptions,
  type OnceResult,
  type OnceRun,
} from './once';
export { stopOnSignals } from './signals';
export { activeTracer, traceParentOf } from './tracing';
export {
  type AbortReason,
  type Clock,
  JobAborted,
  type Logger,
  SILENT,
  type Worker,
  type WorkerBroker,
  type WorkerEvent,
  type WorkerOptions,
  type WorkerState,
  type WorkerStatus,
} from './types';
export { createWorker } from './worker';
