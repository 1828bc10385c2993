/** Errors on their way out: the one table of lib/contract/errors.ts as RFC 9457 problem documents. */
import { sayable } from '@/lib/broker/redis-errors';
import { ERROR_TABLE, type ErrorCode, type Problem, RedriveError } from '@/lib/contract/errors';
import { log } from './log';

/** When another try may help: whoever is told to wait should be told how long. */
const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = {
  QUEUE_FULL: 5,
  TOO_MANY_STREAMS: 30,
  REDIS_UNAVAILABLE: 2,
};

/** What nobody designed is logged whole and shown as nothing but an id. */
export function problemResponse(error: unknown, requestId: string): Response {
  const known = error instanceof RedriveError ? error : null;
  const code = known?.code ?? 'INTERNAL';
  const { status, title } = ERROR_TABLE[code];
  const retryAfter =
    typeof known?.retryAfterMs === 'number'
      ? Math.max(1, Math.ceil(known.retryAfterMs / 1_000))
      : RETRY_AFTER_SECONDS[code];
  if (!known) log().error({ err: error, requestId }, 'unexpected error');
  else if (status >= 500)
    log().warn(
      { code, requestId, cause: known.cause instanceof Error ? known.cause.message : undefined },
      known.message,
    );
  const problem: Problem = {
    type: `urn:redrive:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    code,
    detail: known
      ? sayable(known)
      : `The request failed for a reason on our side. The log has it under ${requestId}.`,
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
