/** How a handler says what went wrong. The class follows from the type thrown, never from a text. */
import type { Failure } from '@/lib/broker/application';
import { brand } from '@/lib/contract/brand';
import { describeError } from '@/lib/contract/describe-error';
import { type ErrorClass, isErrorClass } from '@/lib/contract/jobs/error-classes';
import { NAME_MAX_CHARS, NAME_PATTERN } from '@/lib/contract/name-pattern';

export interface JobErrorOptions extends ErrorOptions {
  /** What the other side asked for: not tried again sooner, if it is tried again at all. */
  retryAfterMs?: number;
}

/** The base of the errors below. `code` names the fault for filters and charts: `HTTP_503`. */
export abstract class JobError extends Error {
  static {
    brand(JobError, 'JobError');
  }
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
  static {
    brand(RetryableError, 'RetryableError');
  }
  readonly errorClass = 'retryable';
}

/** Trying again cannot help. */
export class PermanentError extends JobError {
  static {
    brand(PermanentError, 'PermanentError');
  }
  readonly errorClass = 'permanent';
}

/** The other side asked to slow down, and for how long. */
export class RateLimitedError extends JobError {
  static {
    brand(RateLimitedError, 'RateLimitedError');
  }
  readonly errorClass = 'rate-limited';
  constructor(retryAfterMs: number, message = 'The other side asked to slow down.', code = 'RATE_LIMITED') {
    super(code, message, { retryAfterMs });
  }
}

/** The payload does not fit. */
export class MalformedError extends JobError {
  static {
    brand(MalformedError, 'MalformedError');
  }
  readonly errorClass = 'malformed';
  constructor(message: string, code = 'PAYLOAD_INVALID') {
    super(code, message);
  }
}

/** No handler of this worker knows this type or version. */
export class UnsupportedVersionError extends JobError {
  static {
    brand(UnsupportedVersionError, 'UnsupportedVersionError');
  }
  readonly errorClass = 'unsupported-version';
  constructor(message: string, code = 'UNSUPPORTED_VERSION') {
    super(code, message);
  }
}

/** It is too late for the work to be of use. */
export class DeadlineError extends JobError {
  static {
    brand(DeadlineError, 'DeadlineError');
  }
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
  static {
    brand(OnceInProgressError, 'OnceInProgressError');
  }
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
  static {
    brand(OnceResultLostError, 'OnceResultLostError');
  }
  readonly errorClass = 'permanent';
  constructor(key: string, why: string) {
    super('ONCE_RESULT_LOST', `"${key.slice(0, 100)}" is done, but its result is not known here: ${why}`);
  }
}

/** The work was done before: counts as success. */
export class DuplicateError extends Error {
  static {
    brand(DuplicateError, 'DuplicateError');
  }
  override readonly name = 'DuplicateError';
}

export interface Classified {
  readonly failure: Omit<Failure, 'retryInMs'>;
  readonly retryAfterMs: number;
}

/** What a thrown value means; `success` for work that was done before. */
export function classify(thrown: unknown): Classified | 'success' {
  if (thrown instanceof DuplicateError) return 'success';
  const { code, message, stack } = describeError(thrown);
  if (thrown instanceof JobError && isErrorClass(thrown.errorClass)) {
    const { errorClass, retryAfterMs } = thrown;
    return { failure: { errorClass, errorCode: nameOf(thrown.code), message, stack }, retryAfterMs };
  }
  // A programmer's mistake and a library's fault look alike here. Retrying is the one answer that loses nothing.
  return { failure: { errorClass: 'retryable', errorCode: nameOf(code), message, stack }, retryAfterMs: 0 };
}

/** A code is a name (it ends up in indexes), so what does not fit is replaced; nothing left: `UNCAUGHT`. */
function nameOf(wanted: unknown): string {
  const code = String(wanted)
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, NAME_MAX_CHARS);
  return NAME_PATTERN.test(code) ? code : 'UNCAUGHT';
}
