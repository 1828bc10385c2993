/**
 * How often somebody may try to get in, in a quarter of an hour. An attempt counts before its password is looked at, so that a thousand
 * at once are no more than a thousand in turn; a success is taken out again.
 *
 * Few failures of a name are enough to refuse the place they come from, and many are needed to refuse the name everywhere: else anybody
 * who knows a name could keep its person out.
 */

import type { Counted } from '@/lib/broker/access/attempts';
import { RedriveError } from '@/lib/contract/errors';
import { blocksOf, placeOf } from '../border';
import { getBroker } from '../broker';
import { log } from '../log';

const WINDOW_MS = 900_000;
/** Of one name from one place. */
export const NAME_AT_PLACE_FAILURES_MAX = 5;
/** From one place, whatever the names. */
export const PLACE_FAILURES_MAX = 20;
/** Of one name from everywhere: bounds whoever guesses from many places. */
export const NAME_FAILURES_MAX = 50;
/** Once these are used up, from each network (a /16 of IPv4, a /32 of IPv6): a flood from some does not keep the person out who comes from another. */
export const NAME_IN_NETWORK_LATE_MAX = 2;
/** Of a session: nobody without its cookie can use these up. */
export const PROOF_FAILURES_MAX = 5;
/** A code has 256 bits: this keeps the audit log short, not the code safe. */
export const LINK_FAILURES_MAX = 200;

/** Each keeps the process busy for up to some tenths of a second. */
export const ESTIMATES_MAX = 20;

interface Count {
  readonly counted: Counted;
  readonly limit: number;
  readonly whose: string;
  /** Asked when it refuses, in its place. */
  readonly orElse?: Count;
  /** What a success does to it: begins anew, or gets this one back and keeps those that failed. */
  readonly onSuccess: 'forget' | 'giveBack';
}

export interface Attempt {
  succeeded(): Promise<void>;
  /** It turned out to be none: nothing was looked at. */
  undo(): Promise<void>;
}

/** Names that nobody has count the same. @throws RedriveError TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE */
export function takeSignIn(address: string, account: string): Promise<Attempt> {
  const place = placeOf(address);
  return take([
    atPlace(place),
    {
      counted: { kind: 'place', key: `account ${account} at ${place}` },
      limit: NAME_AT_PLACE_FAILURES_MAX,
      whose: 'for this name from your address',
      onSuccess: 'forget',
    },
    {
      counted: { kind: 'name', key: `account ${account}` },
      limit: NAME_FAILURES_MAX,
      whose: 'for this name',
      onSuccess: 'giveBack',
      orElse: {
        counted: { kind: 'place', key: `account ${account} late from ${blocksOf(address)[0]}` },
        limit: NAME_IN_NETWORK_LATE_MAX,
        whose: 'for this name',
        onSuccess: 'forget',
      },
    },
  ]);
}

/** At the identity provider, which has the accounts. @throws RedriveError TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE */
export const takeReturn = (address: string): Promise<Attempt> => take([atPlace(placeOf(address))]);

/** @throws RedriveError TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE */
export const takeLink = (address: string): Promise<Attempt> =>
  take([
    {
      counted: { kind: 'place', key: `link ${placeOf(address)}` },
      limit: LINK_FAILURES_MAX,
      whose: 'from your address',
      onSuccess: 'giveBack',
    },
  ]);

/** @throws RedriveError TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE */
export const takeProof = (sessionId: string): Promise<Attempt> =>
  take([
    {
      counted: { kind: 'user', key: `proof ${sessionId}` },
      limit: PROOF_FAILURES_MAX,
      whose: 'in this session',
      onSuccess: 'forget',
    },
  ]);

/** Of new passwords that are estimated, good or not. @throws RedriveError TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE */
export const takeEstimate = (personId: string): Promise<Attempt> =>
  take([
    {
      counted: { kind: 'user', key: `estimate ${personId}` },
      limit: ESTIMATES_MAX,
      whose: 'to choose a new password',
      onSuccess: 'giveBack',
    },
  ]);

const atPlace = (place: string): Count => ({
  counted: { kind: 'place', key: `address ${place}` },
  limit: PLACE_FAILURES_MAX,
  whose: 'from your address',
  onSuccess: 'giveBack',
});

/** In this order, and no further than the first that refuses: who is held up at their place uses up nothing of the name. */
async function take(counts: readonly Count[]): Promise<Attempt> {
  const taken: Count[] = [];
  for (const count of counts) taken.push(await takeOne(count));
  // That a count stays too high for a while is no reason to answer anything else.
  const settle = async (how: (count: Count) => Count['onSuccess']): Promise<void> => {
    const { attempts } = getBroker().access;
    await Promise.all(taken.map((count) => attempts[how(count)](count.counted))).catch((error: unknown) =>
      log().warn({ err: error }, 'a sign-in stays counted as an attempt'),
    );
  };
  return {
    succeeded: () => settle(({ onSuccess }) => onSuccess),
    undo: () => settle(() => 'giveBack'),
  };
}

/** @returns what was counted: it, or what was asked in its place */
async function takeOne(count: Count): Promise<Count> {
  const { counted, limit, whose, orElse } = count;
  const { allowed, retryAfterMs } = await getBroker()
    .access.attempts.take(counted, { limit, windowMs: WINDOW_MS })
    .catch(countless);
  if (allowed) return count;
  if (orElse) return takeOne(orElse);
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
