/** Errors of a change that takes several calls: once a call has made its part, no error of a later call may say that nothing was changed. */
import { errorText } from '@/lib/contract/describe-error';
import { type ErrorCode, RedriveError } from '@/lib/contract/redrive-error';

/** The sentence of a refusal, for a case in which another part of the change is made. */
export const withoutUnchanged = (error: unknown): string =>
  errorText(error).replace(/ ?Nothing was (changed|entered)[^.]*\./, '');

/** `REDIS_UNAVAILABLE` promises that nothing was done. */
const codeAfterPart = (code: ErrorCode): ErrorCode =>
  code === 'REDIS_UNAVAILABLE' ? 'UNKNOWN_OUTCOME' : code;

/** The error of a call behind another call that made its part of the same change. Sent again, the change must be safe. */
export function afterPart(error: unknown): unknown {
  if (!(error instanceof RedriveError)) return error;
  const why = withoutUnchanged(error);
  if (error.code !== 'REDIS_UNAVAILABLE' && why === error.message) return error;
  const { code, fields, retryAfterMs } = error;
  return new RedriveError(
    codeAfterPart(code),
    `${why} Part of the change may have been made. Send it again: that is safe.`,
    { cause: error, fields, ...(retryAfterMs === null ? {} : { retryAfterMs }) },
  );
}
