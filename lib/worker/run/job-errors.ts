/** How a handler says what went wrong. The class follows from the type thrown, never from a text. */
import type { Failure } from '@/lib/broker';
import type { ErrorClass } from '@/lib/contract/jobs/error-classes';
import { NAME_MAX_CHARS, NAME_PATTERN } from '@/lib/contract/name-pattern';

export interface JobErrorOptions extends ErrorOptions {
  /** What the other side asked for: not tried again sooner, if it is tried again at all. */
  retryAfterMs?: number;
}

/** The base of the errors below. `code` names the fault for filters and charts: `HTTP_503`. */
export abstract class JobError extends Error {
  abstract readonly errorClass: ErrorClass;
  readonly code: string;
  readonly retryAfterMs: number;
  constructor(code: string, message: string, options: JobErrorOptions = {}) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

/** A passing fault: tried again after the backoff. */
export class RetryableError extends JobError {
  readonly errorClass = 'retryable';
}

/** Trying again cannot help. */
export class PermanentError extends JobError {
  readonly errorClass = 'permanent';
}

/** The other side asked to slow down, and for how long. */
export class RateLimitedError extends JobError {
  readonly errorClass = 'rate-limited';
  constructor(retryAfterMs: number, message = 'The other side asked to slow down.', code = 'RATE_LIMITED') {
    super(code, message, { retryAfterMs });
  }
}

/** The payload does not fit. */
export class MalformedError extends JobError {
  readonly errorClass = 'malformed';
  constructor(message: string, code = 'PAYLOAD_INVALID') {
    super(code, message);
  }
}

/** No handler of this worker knows this type or version. */
export class UnsupportedVersionError extends JobError {
  readonly errorClass = 'unsupported-version';
  constructor(message: string, code = 'UNSUPPORTED_VERSION') {
    super(code, message);
  }
}

/** It is too late for the work to be of use. */
export class DeadlineError extends JobError {
  readonly errorClass = 'deadline';
  constructor(message: string, code = 'DEADLINE_PASSED') {
    super(code, message);
  }
}

/**
 * Another run does this very work right now (see `once`). Left to the worker, the job is given back until that run's lease is
 * over, and no attempt is burnt.
 */
export class OnceInProgressError extends JobError {
  readonly errorClass = 'retryable';
  constructor(key: string, leaseLeftMs: number) {
    super(
      'ONCE_IN_PROGRESS',
      `Another run is doing "${key.slice(0, 100)}" right now; its lease ends in ${leaseLeftMs} ms unless it is renewed.`,
      { retryAfterMs: leaseLeftMs },
    );
  }
}

/** The work was done before, but what it returned was not kept. Doing it again could do harm, so a person must look. */
export class OnceResultLostError extends JobError {
  readonly errorClass = 'permanent';
  constructor(key: string, why: string) {
    super('ONCE_RESULT_LOST', `"${key.slice(0, 100)}" is done, but its result is not known here: ${why}`);
  }
}

/** The work was done before: counts as success. */
export class DuplicateError extends Error {
  override readonly name = 'DuplicateError';
}

export interface Classified {
  readonly failure: Omit<Failure, 'retryInMs'>;
  readonly retryAfterMs: number;
}

/** What a thrown value means; `success` for work that was done before. */
export function classify(thrown: unknown): Classified | 'success' {
  if (thrown instanceof DuplicateError) return 'success';
  if (thrown instanceof JobError)
    return {
      failure: { errorClass: thrown.errorClass, errorCode: errorCode(thrown.code), ...words(thrown) },
      retryAfterMs: thrown.retryAfterMs,
    };
  // A programmer's mistake and a library's fault look alike here. Retrying is the one answer that loses nothing.
  const name = thrown instanceof Error && thrown.name !== 'Error' ? thrown.name : '';
  return {
    failure: { errorClass: 'retryable', errorCode: errorCode(name), ...words(thrown) },
    retryAfterMs: 0,
  };
}

function words(thrown: unknown): { message: string; stack: string | undefined } {
  if (!(thrown instanceof Error))
    return { message: `Not an error was thrown: ${textOf(thrown)}`, stack: undefined };
  const cause =
    thrown.cause instanceof Error ? `\nCaused by: ${thrown.cause.stack ?? thrown.cause.message}` : '';
  // Libraries have been seen to put objects where texts belong.
  const { message, stack }: { message: unknown; stack?: unknown } = thrown;
  return {
    message: textOf(message) || textOf(thrown.name) || 'an error without a message',
    stack: typeof stack === 'string' ? stack + cause : undefined,
  };
}

/** Whatever was thrown, saying what it is must not throw in turn. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  } catch {
    return typeof value;
  }
}

/** A code is a name (it ends up in indexes), so what does not fit is replaced; nothing left: `UNCAUGHT`. */
function errorCode(wanted: unknown): string {
  const code = textOf(wanted)
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, NAME_MAX_CHARS);
  return NAME_PATTERN.test(code) ? code : 'UNCAUGHT';
}
