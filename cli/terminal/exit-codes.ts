/** Exit codes of the command, documented in docs/cli/commands.md. */

import { ApiError } from '@/lib/api-client';
import { errorText } from '@/lib/contract/describe-error';
import { ERROR_TABLE, RedriveError } from '@/lib/contract/redrive-error';

export const EXIT = {
  done: 0,
  /** Unexpected. */
  failed: 1,
  /** Of the command line: unknown option, missing argument, value that is none. */
  usage: 2,
  /** The console refused it: invalid, in another state, over a limit. */
  refused: 3,
  /** There is no such queue, job, operation. */
  notFound: 4,
  /** No valid token, or none that may do this. */
  notAllowed: 5,
  /** No answer, or Redis is away. A change may have taken effect. */
  unreachable: 6,
  /** Not confirmed: nothing was changed. */
  notConfirmed: 7,
  /** An operation that was watched did not complete, or a check found something. */
  notWell: 8,
} as const;

/** A sentence for the person, and the code to end with. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  const status =
    error instanceof ApiError
      ? error.status
      : error instanceof RedriveError
        ? ERROR_TABLE[error.code].status
        : null;
  if (status === null) return EXIT.failed;
  if (status < 400 || status >= 500) return EXIT.unreachable;
  if (status === 404) return EXIT.notFound;
  return status === 401 || status === 403 ? EXIT.notAllowed : EXIT.refused;
}

/** What to tell the person about an error. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError)) return errorText(error);
  const hint = error.code === 'UNAUTHENTICATED' ? ' Set REDRIVE_TOKEN to a valid API token.' : '';
  return `${error.message}${hint}${error.requestId ? ` (request ${error.requestId})` : ''}`;
}
