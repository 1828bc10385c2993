/**
 * How often somebody may try to sign in: five failures a name and twenty an address in a quarter of an hour. An attempt counts before its
 * password is looked at, so that a thousand at once are no more than a thousand in turn; a success is taken out again.
 */
import { RedriveError } from '@/lib/contract/errors';
import { getBroker } from '../broker';
import { log } from '../log';
import { placeOf } from '../rate-limits';

const WINDOW_MS = 900_000;
export const ACCOUNT_FAILURES_MAX = 5;
export const ADDRESS_FAILURES_MAX = 20;

export interface Attempt {
  /** It was a success: the name's count begins anew, the address gets this one back, and keeps those that failed. */
  succeeded(): Promise<void>;
}

/**
 * @param account whose password it is; names nobody has count the same. Null: the way in has no accounts of ours.
 * @throws RedriveError TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE
 */
export async function takeAttempt(address: string, account: string | null): Promise<Attempt> {
  const { attempts } = getBroker().access;
  const addressKey = `address ${placeOf(address)}`;
  const accountKey = account === null ? null : `account ${account}`;
  await take(addressKey, ADDRESS_FAILURES_MAX, 'from your address');
  if (accountKey !== null) await take(accountKey, ACCOUNT_FAILURES_MAX, 'for this name');
  return {
    async succeeded() {
      // The person is in: that a count stays too high for a while is no reason to tell them otherwise.
      await Promise.all([
        attempts.giveBack(addressKey),
        accountKey === null ? undefined : attempts.forget(accountKey),
      ]).catch((error: unknown) => log().warn({ err: error }, 'a sign-in stays counted as an attempt'));
    },
  };
}

async function take(key: string, limit: number, whose: string): Promise<void> {
  const { allowed, retryAfterMs } = await getBroker()
    .access.attempts.take(key, { limit, windowMs: WINDOW_MS })
    .catch(countless);
  if (allowed) return;
  const minutes = Math.ceil(retryAfterMs / 60_000);
  throw new RedriveError(
    'TOO_MANY_ATTEMPTS',
    `There were too many attempts ${whose}. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`,
    { retryAfterMs },
  );
}

/** Whether it was counted matters to nobody: nothing was looked at, and nobody is in. */
function countless(error: unknown): never {
  if (!(error instanceof RedriveError) || error.code !== 'UNKNOWN_OUTCOME') throw error;
  throw new RedriveError(
    'REDIS_UNAVAILABLE',
    'Redis did not answer in time, so nobody can sign in just now. Try again in a moment.',
    { cause: error },
  );
}
