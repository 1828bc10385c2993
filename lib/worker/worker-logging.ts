/**
 * What a worker logs: a line for each change of a job's state, with the same fields every time. No line holds a payload, a
 * result or the text of a handler's error, because all three may quote secrets.
 */
import { hostname } from 'node:os';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { describeError, errorFrames } from '@/lib/contract/describe-error';
import { RedriveError } from '@/lib/contract/redrive-error';
import { emptyContext } from './run/empty-context';
import type { RunningJob } from './run/running-job';
import { type Clock, type Logger, NO_LISTENER, type OnEvent, SILENT, type WorkerEvent } from './worker-types';

export interface LoggerOptions {
  /** Default `info`: every change of a job's state. `warn`: only what went wrong. */
  readonly level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** The field `service` of every line: which program speaks. Default `redrive`. */
  readonly name?: string;
  /** Where lines go. Default: standard output. */
  readonly destination?: DestinationStream;
}

/** A pino logger that writes JSON lines. Errors given as `err` keep name, code, sentence and stack, and nothing they carry along. */
export function createLogger({
  level = 'info',
  name = 'redrive',
  destination,
}: LoggerOptions = {}): PinoLogger {
  const base = { service: name, pid: process.pid, hostname: hostname() };
  const options = { level, base, serializers: { err: plainError } };
  return destination ? pino(options, destination) : pino(options);
}

/** Libraries hang whole requests on their errors: ioredis the command with its arguments, others headers with their secrets. */
function plainError(error: unknown): object {
  const { isError, name, code, message, stack } = describeError(error);
  if (!isError) return { type: typeof error, message: typeof error === 'object' ? undefined : message };
  return {
    type: name || typeof error,
    code: code === '' || code === name ? undefined : code,
    message,
    stack,
  };
}

/** Redis begins its errors with one of these; what follows may quote what was sent. */
const REDIS_WORD = /^-?(ERR|WRONGTYPE|CROSSSLOT|MOVED|ASK|EXECABORT|UNBLOCKED|INPROG|NOPROTO)\b/;
const CODE = /^[A-Z][A-Z0-9_]{1,40}$/;

/** The fields for a fault of the runtime: the message only if it is ours, otherwise code and frames. */
function describeFault(error: unknown): object {
  if (error instanceof RedriveError)
    return { errorCode: error.code, ...(error.code !== 'VALIDATION' && { cause: error.message }) };
  const { name, code, message } = describeError(error);
  const errorCode = CODE.test(code) ? code : REDIS_WORD.exec(message)?.[1];
  return { errorType: name || typeof error, errorCode, stack: errorFrames(error) };
}

/** For the runtime's own lines: replaces each `err` by what may be logged of it. */
export function carefulLogger(logger: Logger): Logger {
  if (logger === SILENT) return SILENT;
  const careful = (fields: object) => {
    if (!('err' in fields)) return fields;
    const { err, ...rest } = fields;
    return { ...rest, ...describeFault(err) };
  };
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) =>
    emptyContext().runInAsyncScope(logger[level], logger, careful(fields), message);
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    isLevelEnabled: (level) =>
      logger.isLevelEnabled ? emptyContext().runInAsyncScope(logger.isLevelEnabled, logger, level) : true,
  };
}

/** A handler's logger: says with every line which job it is about. */
export function jobLogger(logger: Logger, job: RunningJob, workerId: string): Logger {
  if (logger === SILENT) return SILENT;
  const withJob = (fields: object) => ({ ...jobFields(job, workerId), ...fields });
  return {
    debug: (fields, message) => logger.debug(withJob(fields), message),
    info: (fields, message) => logger.info(withJob(fields), message),
    warn: (fields, message) => logger.warn(withJob(fields), message),
    error: (fields, message) => logger.error(withJob(fields), message),
  };
}

function jobFields(job: RunningJob, workerId: string) {
  const { jobId, jobType, tenantId, queue, attempt, delivery, envelope } = job.claimed;
  return {
    jobId,
    jobType,
    tenantId,
    queue,
    attempt,
    delivery,
    traceId: job.traceId,
    correlationId: envelope.correlationId,
    workerId,
  };
}

/** Tells what became of a job. `dueInMs`: the wait before it may run again, when there is one. */
export type Notify = (job: RunningJob, event: WorkerEvent, dueInMs?: number) => void;

export interface NotifyDeps {
  readonly logger: Logger;
  readonly onEvent: OnEvent;
  readonly workerId: string;
  readonly clock: Clock;
  /** Redis's clock as far as it is known. */
  redisNowMs(): number;
}

/** Null: there is neither log nor listener, so no event need be made. */
export function createNotify(deps: NotifyDeps): Notify | null {
  const { logger, onEvent } = deps;
  if (logger === SILENT) return onEvent === NO_LISTENER ? null : (_, event) => onEvent(event);
  const log = createJobLog(deps);
  return (job, event, dueInMs) => {
    log(job, event, dueInMs);
    onEvent(event);
  };
}

/** Events of jobs that go as they should. */
const USUAL: ReadonlySet<WorkerEvent['type']> = new Set(['claimed', 'completed', 'released']);

function createJobLog({ logger, workerId, clock, redisNowMs }: NotifyDeps): Notify {
  return (job, event, dueInMs) => {
    if (USUAL.has(event.type) && logger.isLevelEnabled?.('info') === false) return;
    const dueAt = () => (dueInMs === undefined ? {} : { nextAttemptAt: Math.round(redisNowMs() + dueInMs) });
    const line = (name: string, more: object = {}) => ({
      event: name,
      ...jobFields(job, workerId),
      durationMs: Math.round(clock.monotonicMs() - job.lease.takenAtMs),
      ...more,
    });
    switch (event.type) {
      case 'claimed':
        return logger.info({ event: 'job_claimed', ...jobFields(job, workerId) }, 'claimed a job');
      case 'completed':
        return logger.info(line('job_completed'), 'completed a job');
      case 'failed': {
        const { errorClass, errorCode } = event;
        if (event.outcome === 'dead')
          return logger.error(line('job_dead', { errorClass, errorCode }), 'a job is dead');
        return logger.warn(
          line('job_failed_retry_scheduled', { errorClass, errorCode, ...dueAt() }),
          'a job failed and will be tried again',
        );
      }
      case 'released':
        return logger.info(line('job_released', dueAt()), 'gave a job back');
      case 'lease-lost':
        return logger.warn(line('lease_lost'), 'lost the lease of a job and aborted it');
      case 'stale':
        return logger.warn(
          line('claim_stale'),
          'Redis refused the end of a run: the claim was no longer held',
        );
      case 'gave-up':
        return logger.error(
          line('report_gave_up'),
          'the end of a run did not reach Redis while its lease held; the job comes back',
        );
    }
  };
}
