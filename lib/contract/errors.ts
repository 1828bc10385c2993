/**
 * The one error table: code → HTTP status and title. The broker throws these codes, the routes answer with them as
 * RFC 9457 problem documents, and the console shows their sentences.
 */
import { z } from 'zod';

export const ERROR_TABLE = {
  VALIDATION: { status: 400, title: 'The request is not valid' },
  BAD_JSON: { status: 400, title: 'The body is not JSON' },
  BAD_CURSOR: { status: 400, title: 'The cursor is not valid' },
  BAD_QUERY: { status: 400, title: 'The query cannot be read' },
  UNAUTHENTICATED: { status: 401, title: 'Sign in first' },
  SIGN_IN_FAILED: { status: 401, title: 'The sign-in failed' },
  PROVIDER_UNAVAILABLE: { status: 503, title: 'The identity provider does not answer' },
  PROOF_NEEDED: { status: 403, title: 'Say once more who you are' },
  FORBIDDEN: { status: 403, title: 'Not allowed' },
  HOST_REFUSED: { status: 400, title: 'The console does not answer to this name' },
  CROSS_ORIGIN: { status: 403, title: 'Refused: the request came from another site' },
  QUEUE_NOT_FOUND: { status: 404, title: 'No such queue' },
  JOB_NOT_FOUND: { status: 404, title: 'No such job' },
  OPERATION_NOT_FOUND: { status: 404, title: 'No such operation' },
  GROUP_NOT_FOUND: { status: 404, title: 'No such failure group' },
  SEARCH_NOT_FOUND: { status: 404, title: 'No such saved search' },
  NOT_FOUND: { status: 404, title: 'No such page' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The method is not answered here' },
  ADDRESS_TOO_LONG: { status: 414, title: 'The address is too long' },
  WRONG_STATE: { status: 409, title: 'The job is in another state' },
  PREVIEW_STALE: { status: 409, title: 'The preview is out of date' },
  OPERATION_STATE: { status: 409, title: 'The operation is in another state' },
  STALE_CLAIM: { status: 409, title: 'The claim is no longer held' },
  ID_CONFLICT: { status: 409, title: 'The job id is taken by another job' },
  RESEND_TOO_LATE: { status: 409, title: 'The job was sent first too long ago' },
  NOT_UNIQUE: { status: 409, title: 'Another job has this uniqueness key' },
  QUEUE_DRAINING: { status: 409, title: 'The queue is draining' },
  QUEUE_FULL: { status: 429, title: 'The queue is full' },
  CONFIG_CHANGED: { status: 409, title: 'The settings were changed meanwhile' },
  SCHEDULE_NOT_FOUND: { status: 404, title: 'No such schedule' },
  SCHEDULE_EXISTS: { status: 409, title: 'A schedule of that id exists' },
  BODY_TOO_LARGE: { status: 413, title: 'The body is too large' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The payload is too large' },
  WRONG_MEDIA_TYPE: { status: 415, title: 'The body must be JSON' },
  TOO_MANY_ATTEMPTS: { status: 429, title: 'Too many attempts' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  PERSON_NOT_FOUND: { status: 404, title: 'No such person' },
  SESSION_NOT_FOUND: { status: 404, title: 'No such session' },
  TOKEN_NOT_FOUND: { status: 404, title: 'No such token' },
  TOO_MANY_STREAMS: { status: 429, title: 'Too many live connections' },
  LIMIT_REACHED: { status: 409, title: 'A limit is reached' },
  UNKNOWN_OUTCOME: { status: 504, title: 'Redis did not answer in time' },
  REDIS_UNAVAILABLE: { status: 503, title: 'Redis cannot be reached' },
  CLIENT_CLOSED: { status: 503, title: 'The client is closed' },
  REDIS_UNSAFE: { status: 503, title: 'This Redis is not safe for jobs' },
  REDIS_FULL: { status: 507, title: 'Redis is out of memory' },
  INTERNAL: { status: 500, title: 'Something went wrong on our side' },
} as const satisfies Record<string, { status: number; title: string }>;
export type ErrorCode = keyof typeof ERROR_TABLE;

/** An RFC 9457 problem document. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.string(),
  requestId: z.string().optional(),
  /** One entry a field that was wrong: where, and what to do. */
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof problemSchema>;

/** Marks our errors across copies of this module: routes and instrumentation are separate bundles of one process. */
const BRAND = Symbol.for('redrive.error');

/** An error with a place in the table. `fields` names what was wrong in the input. */
export class RedriveError extends Error {
  override readonly name = 'RedriveError';
  readonly code: ErrorCode;
  readonly fields: readonly { field: string; message: string }[];
  /** How long to wait before another try may help, when that is known. */
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
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Another bundle's RedriveError is one, too: its class is a copy of this one, and its brand is the same. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

type Issue = z.core.$ZodIssue;

/**
 * How far a value is from a branch of a union. A complaint deep inside says that what stands above it fits; each field that the
 * branch does not know counts alone.
 */
function distanceOf(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => {
    const complaints = issue.code === 'unrecognized_keys' ? issue.keys.length : 1;
    return sum + complaints / (1 + issue.path.length);
  }, 0);
}

/** Of a union the branch that comes closest speaks; of equally close ones the first. */
function fieldsOf(
  issues: readonly Issue[],
  prefix: readonly PropertyKey[],
  what: string,
): { field: string; message: string }[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    const field = path.map(String).join('.');
    if (issue.code === 'invalid_union') {
      const closest = [...issue.errors].sort((a, b) => distanceOf(a) - distanceOf(b))[0];
      if (closest) return fieldsOf(closest, path, what);
    }
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        field: field ? `${field}.${key}` : key,
        message: 'is not a field here',
      }));
    return [{ field: field || what, message: issue.message }];
  });
}

/** Turns a failed zod parse into one error that names every field. */
export function validationError(error: z.ZodError, what: string): RedriveError {
  const fields = fieldsOf(error.issues, [], what).slice(0, 20);
  const detail = fields.map((f) => `${f.field}: ${f.message}`).join('; ');
  return new RedriveError('VALIDATION', `${what} is not valid: ${detail}.`, { fields, cause: error });
}

/** A check of a text's length also looks at what is no text, and `{"length": {"toString": {}}}` cannot be compared with a number. */
function safely<T extends z.ZodType>(
  schema: T,
  value: unknown,
  what: string,
): z.ZodSafeParseResult<z.output<T>> {
  try {
    return schema.safeParse(value);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const message = 'holds a value that cannot be read';
    throw new RedriveError('VALIDATION', `${what}: ${message}.`, {
      cause,
      fields: [{ field: what, message }],
    });
  }
}

/** Parses or throws a designed error. */
export function parseOrThrow<T extends z.ZodType>(schema: T, value: unknown, what: string): z.output<T> {
  const parsed = safely(schema, value, what);
  if (!parsed.success) throw validationError(parsed.error, what);
  return parsed.data;
}
