/** Errors in the words of the console: what its own broker says of itself is no sentence for a user. */
import { withoutAddresses } from '@/lib/broker/redis/redis-errors';
import { RedriveError } from '@/lib/contract/redrive-error';

/** The console closes its broker when it stops; requests and readings under way then fail. */
export function shownError(error: RedriveError): RedriveError {
  if (error.code !== 'CLIENT_CLOSED') return error;
  return new RedriveError(
    'STOPPING',
    'This console is stopping. Nothing was changed. Pages connect again by themselves.',
    { retryAfterMs: 2_000, cause: error },
  );
}

/** The sentence, without where Redis is. */
export const shownMessage = (error: unknown): string =>
  withoutAddresses(error instanceof RedriveError ? shownError(error) : error);
