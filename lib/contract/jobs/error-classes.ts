/** What kind of failure ended an attempt. Set by the type of the error thrown, never guessed from its text. */

export const ERROR_CLASSES = [
  'retryable',
  'rate-limited',
  'permanent',
  'malformed',
  'unsupported-version',
  'deadline',
  'crash',
  'cancelled',
] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];
export const isErrorClass = (value: unknown): value is ErrorClass =>
  (ERROR_CLASSES as readonly unknown[]).includes(value);

export const ERROR_CLASS_MEANING: Readonly<Record<ErrorClass, string>> = {
  retryable: 'A passing fault, retried until its attempts were used up',
  'rate-limited': 'The other side asked to slow down',
  permanent: 'Trying again cannot help without a change',
  malformed: 'The payload does not fit its handler',
  'unsupported-version': 'No worker knows this job type or version, retried until its attempts were used up',
  deadline: 'Its deadline passed before it was done',
  crash: 'It was in flight each time its worker died',
  cancelled: 'A person cancelled it',
};

/** A worker of another release may know the type and version. */
const RETRYABLE: ReadonlySet<ErrorClass> = new Set(['retryable', 'rate-limited', 'unsupported-version']);

/** Classes that another attempt may cure. Everything else goes straight to the dead-letter queue. */
export const isRetryable = (errorClass: ErrorClass): boolean => RETRYABLE.has(errorClass);

export const ERROR_MESSAGE_MAX_CHARS = 1_000;
export const ERROR_STACK_MAX_CHARS = 3_000;
