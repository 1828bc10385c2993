/** Errors as RFC 9457 problem documents. */

import { errorText } from '@/lib/contract/describe-error';
import type { Problem } from '@/lib/contract/parse-or-throw';
import { ERROR_TABLE, type ErrorCode, RedriveError } from '@/lib/contract/redrive-error';
import { log } from '../console-log';
import { shownError, shownMessage } from '../shown-error';

/** Retry-After for errors that pass. */
const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = {
  QUEUE_FULL: 5,
  TOO_MANY_STREAMS: 30,
  REDIS_UNAVAILABLE: 2,
};

/** An unexpected error is logged in full, and shown as a request id only. */
export function problemResponse(error: unknown, requestId: string): Response {
  const known = error instanceof RedriveError ? shownError(error) : null;
  const code = known?.code ?? 'INTERNAL';
  const { status, title } = ERROR_TABLE[code];
  const retryAfter =
    typeof known?.retryAfterMs === 'number'
      ? Math.max(1, Math.ceil(known.retryAfterMs / 1_000))
      : RETRY_AFTER_SECONDS[code];
  if (!known) log().error({ err: error, requestId }, 'unexpected error');
  else if (status >= 500)
    log().warn(
      { code, requestId, cause: known.cause === undefined ? undefined : errorText(known.cause) },
      known.message,
    );
  const problem: Problem = {
    type: `urn:redrive:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    code,
    detail: known
      ? shownMessage(known)
      : `Internal error. The console's log has the details under ${requestId}.`,
    requestId,
    ...(known && known.fields.length > 0 ? { errors: [...known.fields] } : {}),
  };
  return Response.json(problem, {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
  });
}
