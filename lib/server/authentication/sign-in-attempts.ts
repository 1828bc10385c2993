/**
 * Limits of sign-in attempts in a quarter of an hour. An attempt counts before its password is checked, so parallel attempts gain nothing;
 * a success is taken out again.
 *
 * Few failures of a name refuse the network they come from, and many are needed to refuse the name everywhere: else an attacker who knows
 * a user's name could lock the user out.
 */

import type { AttemptLimit } from '@/lib/broker/access/attempt-counts';
import { RedriveError } from '@/lib/contract/redrive-error';
import { getBroker } from '../console-broker';
import { log } from '../console-log';
import { networkOf, networksOf } from '../http/client-network';

const WINDOW_MS = 900_000;
interface Limit {
  readonly kind: AttemptLimit['kind'];
  readonly max: number;
  /** The end of "There were too many attempts …". */
  readonly text: string;
  /** On success: reset the count, or give this attempt back and keep the failures. */
  readonly onSuccess: 'forget' | 'giveBack';
}

const LIMITS = {
  network: { kind: 'place', max: 20, text: 'from your address', onSuccess: 'giveBack' },
  nameInNetwork: { kind: 'place', max: 5, text: 'for this name from your address', onSuccess: 'forget' },
  /** From everywhere: bounds guesses from many networks. */
  name: { kind: 'name', max: 50, text: 'for this name', onSuccess: 'giveBack' },
  /** Once `name` is used up, from each wide network (a /16 of IPv4, a /32 of IPv6): a flood elsewhere does not lock the user out. */
  nameInNetworkLate: { kind: 'place', max: 2, text: 'for this name', onSuccess: 'forget' },
  /** Of a session: only its cookie can use these up. */
  reauthentication: { kind: 'user', max: 5, text: 'in this session', onSuccess: 'forget' },
  /** A code has 256 bits, so this only keeps the audit log short. */
  link: { kind: 'place', max: 200, text: 'from your address', onSuccess: 'giveBack' },
  /** Each strength check of a password takes up to some tenths of a second of the process. */
  passwordChange: { kind: 'user', max: 20, text: 'to choose a new password', onSuccess: 'giveBack' },
} as const satisfies Record<string, Limit>;

interface Count {
  readonly limit: Limit;
  readonly key: string;
  /** Counted instead when this one refuses. */
  readonly orElse?: Count;
}

export interface SignInAttempt {
  succeeded(): Promise<void>;
  /** No attempt after all: no password was checked. */
  undo(): Promise<void>;
}

/** Unknown names count the same. @throws RedriveError TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE */
export function takePasswordAttempt(address: string, account: string): Promise<SignInAttempt> {
  const network = networkOf(address);
  const late = `account ${account} late from ${networksOf(address)[0]}`;
  return take([
    { limit: LIMITS.network, key: `address ${network}` },
    { limit: LIMITS.nameInNetwork, key: `account ${account} at ${network}` },
    {
      limit: LIMITS.name,
      key: `account ${account}`,
      orElse: { limit: LIMITS.nameInNetworkLate, key: late },
    },
  ]);
}

/** A return from the identity provider, which counts attempts by account itself. @throws RedriveError TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE */
export const takeOidcAttempt = (address: string): Promise<SignInAttempt> =>
  take([{ limit: LIMITS.network, key: `address ${networkOf(address)}` }]);

/** @throws RedriveError TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE */
export const takeLinkAttempt = (address: string): Promise<SignInAttempt> =>
  take([{ limit: LIMITS.link, key: `link ${networkOf(address)}` }]);

/** @throws RedriveError TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE */
export const takeReauthenticationAttempt = (sessionId: string): Promise<SignInAttempt> =>
  take([{ limit: LIMITS.reauthentication, key: `proof ${sessionId}` }]);

/** Counts each strength check of a new password. @throws RedriveError TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE */
export const takePasswordChangeAttempt = (userId: string): Promise<SignInAttempt> =>
  take([{ limit: LIMITS.passwordChange, key: `estimate ${userId}` }]);

/** In this order, up to the first that refuses: a refused network uses up nothing of the name. */
async function take(counts: readonly Count[]): Promise<SignInAttempt> {
  const taken: Count[] = [];
  for (const count of counts) taken.push(await takeOne(count));
  // A count that stays too high for a while must not fail the sign-in.
  const settle = async (how: (limit: Limit) => Limit['onSuccess']): Promise<void> => {
    const { attempts } = getBroker().access;
    await Promise.all(taken.map(({ limit, key }) => attempts[how(limit)]({ kind: limit.kind, key }))).catch(
      (error: unknown) => log().warn({ err: error }, 'a sign-in stays counted as an attempt'),
    );
  };
  return {
    succeeded: () => settle(({ onSuccess }) => onSuccess),
    undo: () => settle(() => 'giveBack'),
  };
}

/** @returns the count that was taken: this one, or its `orElse` */
async function takeOne(count: Count): Promise<Count> {
  const { limit, key, orElse } = count;
  const { kind, max, text } = limit;
  const { allowed, retryAfterMs } = await getBroker()
    .access.attempts.take({ kind, key }, { limit: max, windowMs: WINDOW_MS })
    .catch(unavailable);
  if (allowed) return count;
  if (orElse) return takeOne(orElse);
  const minutes = Math.ceil(retryAfterMs / 60_000);
  throw new RedriveError(
    'TOO_MANY_ATTEMPTS',
    `There were too many attempts ${text}. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`,
    { retryAfterMs },
  );
}

/** Whether the attempt was counted does not matter: no password was checked. */
function unavailable(error: unknown): never {
  if (!(error instanceof RedriveError) || error.code !== 'UNKNOWN_OUTCOME') throw error;
  throw new RedriveError(
    'REDIS_UNAVAILABLE',
    'Redis did not answer in time, so you cannot sign in right now. Try again in a moment.',
    { cause: error },
  );
}
