/** An error of the HTTP API, as its clients get it. */
import { problemSchema } from '../contract/parse-or-throw';

export interface ApiErrorInit {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly fields?: readonly { field: string; message: string }[];
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/**
 * `status` is 0 when no answer came; `code` is then `UNREACHABLE` or `TIMEOUT`. An answer that is not understood is `BAD_REPLY`. Other
 * codes are those of the console. `detail` is a sentence to show.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** The wrong fields of the request. */
  readonly fields: readonly { field: string; message: string }[];
  readonly requestId: string | null;
  /** How long to wait before the next try; null: unknown. */
  readonly retryAfterMs: number | null;

  constructor({
    status,
    code,
    detail,
    fields = [],
    requestId = null,
    retryAfterMs = null,
    cause,
  }: ApiErrorInit) {
    super(detail, { cause });
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The error of a refused request: its problem document, else a sentence about the status. */
export function refusalOf(response: Response, json: unknown): ApiError {
  const problem = problemSchema.safeParse(json);
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterMs = Number.isFinite(retryAfter) ? retryAfter * 1_000 : null;
  const requestId = response.headers.get('x-request-id');
  if (!problem.success)
    return new ApiError({
      status: response.status,
      code: 'BAD_REPLY',
      detail: `The console answered with status ${response.status} and no explanation.`,
      requestId,
      retryAfterMs,
    });
  const { code, detail, errors } = problem.data;
  return new ApiError({
    status: response.status,
    code,
    detail,
    fields: errors ?? [],
    requestId,
    retryAfterMs,
  });
}
