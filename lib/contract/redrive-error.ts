import { brand } from './brand';

/**
 * The one error table: code → HTTP status and title. The broker throws these codes, the routes answer with them as RFC 9457 problem
 * documents, and the console shows their sentences.
 */
export const ERROR_TABLE = {
  VALIDATION: { status: 400, title: 'Invalid request' },
  BAD_JSON: { status: 400, title: 'Body is not JSON' },
  BAD_CURSOR: { status: 400, title: 'Invalid cursor' },
  BAD_QUERY: { status: 400, title: 'Invalid query' },
  UNAUTHENTICATED: { status: 401, title: 'Sign-in required' },
  SIGN_IN_FAILED: { status: 401, title: 'Sign-in failed' },
  PROVIDER_UNAVAILABLE: { status: 503, title: 'Identity provider unavailable' },
  REAUTHENTICATION_REQUIRED: { status: 403, title: 'Confirm your identity' },
  FORBIDDEN: { status: 403, title: 'Not allowed' },
  HOST_REFUSED: { status: 400, title: 'Unknown host name' },
  CROSS_ORIGIN: { status: 403, title: 'Cross-origin request refused' },
  QUEUE_NOT_FOUND: { status: 404, title: 'No such queue' },
  JOB_NOT_FOUND: { status: 404, title: 'No such job' },
  OPERATION_NOT_FOUND: { status: 404, title: 'No such operation' },
  GROUP_NOT_FOUND: { status: 404, title: 'No such failure group' },
  SEARCH_NOT_FOUND: { status: 404, title: 'No such saved search' },
  NOT_FOUND: { status: 404, title: 'No such page' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Method not allowed' },
  ADDRESS_TOO_LONG: { status: 414, title: 'Address too long' },
  WRONG_STATE: { status: 409, title: 'Job is in another state' },
  PREVIEW_STALE: { status: 409, title: 'Preview is out of date' },
  OPERATION_STATE: { status: 409, title: 'Operation is in another state' },
  STALE_CLAIM: { status: 409, title: 'Claim is no longer held' },
  ID_CONFLICT: { status: 409, title: 'Id or Idempotency-Key is taken' },
  RESEND_TOO_LATE: { status: 409, title: 'Job was first sent too long ago' },
  NOT_UNIQUE: { status: 409, title: 'Another job has this uniqueness key' },
  QUEUE_DRAINING: { status: 409, title: 'Queue is draining' },
  QUEUE_FULL: { status: 429, title: 'Queue is full' },
  CONFIG_CHANGED: { status: 409, title: 'Settings were changed meanwhile' },
  SCHEDULE_NOT_FOUND: { status: 404, title: 'No such schedule' },
  SCHEDULE_EXISTS: { status: 409, title: 'Schedule id is taken' },
  ALERT_NOT_FOUND: { status: 404, title: 'No such alert' },
  SILENCE_NOT_FOUND: { status: 404, title: 'No such silence' },
  CHANNEL_NOT_FOUND: { status: 404, title: 'No such channel' },
  CHANNEL_EXISTS: { status: 409, title: 'Channel name is taken' },
  BODY_TOO_LARGE: { status: 413, title: 'Body too large' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'Payload too large' },
  WRONG_MEDIA_TYPE: { status: 415, title: 'Body must be JSON' },
  TOO_MANY_ATTEMPTS: { status: 429, title: 'Too many attempts' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  USER_NOT_FOUND: { status: 404, title: 'No such user' },
  SESSION_NOT_FOUND: { status: 404, title: 'No such session' },
  TOKEN_NOT_FOUND: { status: 404, title: 'No such token' },
  TOO_MANY_STREAMS: { status: 429, title: 'Too many live connections' },
  LIMIT_REACHED: { status: 409, title: 'Limit reached' },
  UNKNOWN_OUTCOME: { status: 504, title: 'Redis did not answer in time' },
  REDIS_UNAVAILABLE: { status: 503, title: 'Redis unavailable' },
  STOPPING: { status: 503, title: 'Console is stopping' },
  CLIENT_CLOSED: { status: 503, title: 'Client is closed' },
  REDIS_UNSAFE: { status: 503, title: 'This Redis is not safe for jobs' },
  DATA_NEWER: { status: 503, title: 'Data of a newer version' },
  REDIS_FULL: { status: 507, title: 'Redis is out of memory' },
  INTERNAL: { status: 500, title: 'Internal error' },
} as const satisfies Record<string, { status: number; title: string }>;
export type ErrorCode = keyof typeof ERROR_TABLE;

/** Why a process must not use its Redis until an administrator acts. A Redis that is away may return by itself. */
export const LASTING: ReadonlySet<ErrorCode> = new Set(['REDIS_UNSAFE', 'DATA_NEWER']);

/** An error of the table. `fields` names the wrong fields of the input. */
export class RedriveError extends Error {
  // Routes and instrumentation are separate bundles of one process, each with a copy of this class.
  static {
    brand(RedriveError, 'error');
  }
  override readonly name = 'RedriveError';
  readonly code: ErrorCode;
  readonly fields: readonly { field: string; message: string }[];
  /** How long to wait before the next try; null: unknown. */
  readonly retryAfterMs: number | null;
  constructor(
    code: ErrorCode,
    detail: string,
    options: {
      cause?: unknown;
      fields?: readonly { field: string; message: string }[];
      retryAfterMs?: number;
    } = {},
  ) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.fields = options.fields ?? [];
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
