/** Signing in by password, and saying once more who one is. Whoever asks learns nothing about which names exist. */
import { RedriveError } from '@/lib/contract/errors';
import { nameKey } from '@/lib/users/users-file';
import { blocksOf } from '../border';
import { readEnv } from '../env';
import { addressOf } from './address';
import { type Attempt, takeProof, takeSignIn } from './attempts';
import { beginSession, noteRefusal, type Visit } from './begin';
import { digestOf, readSessionCookie } from './cookies';
import { type KnownUser, localUserNamed, localUserOf, localUsers } from './local-users';
import { passwordFits } from './passwords';
import { actorOf, type Principal } from './principal';
import { renewSession } from './sessions';
import { hasWay } from './ways';

const wrong = (detail: string, field: string): RedriveError =>
  new RedriveError('SIGN_IN_FAILED', detail, { fields: [{ field, message: 'does not fit' }] });

/** @throws RedriveError SIGN_IN_FAILED | TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE | UNKNOWN_OUTCOME */
export async function signInByPassword(
  visit: Visit,
  given: { name: string; password: string },
): ReturnType<typeof beginSession> {
  if (!hasWay('local'))
    throw new RedriveError(
      'SIGN_IN_FAILED',
      'This console has no users of its own. Sign in the way its page offers.',
    );
  const found = await checkPassword(visit, localUserNamed(given.name), given.password, {
    takeAttempt: () => takeSignIn(addressOf(visit.request), `local:${nameKey(given.name)}`),
    networks: blocksOf(addressOf(visit.request)),
    isStranger: true,
    sentence: 'The name or the password is not right.',
  });
  return beginSession(visit, {
    id: found.personId,
    name: found.user.name,
    way: 'local',
    groups: [],
    stamp: found.stamp,
  });
}

/**
 * Destructive actions ask for no new proof for a while. The session goes on under a new id.
 * @returns until when, and the cookie of that
 * @throws RedriveError FORBIDDEN | SIGN_IN_FAILED | TOO_MANY_ATTEMPTS | UNAUTHENTICATED | REDIS_UNAVAILABLE | UNKNOWN_OUTCOME
 */
export async function proveByPassword(
  visit: Visit,
  principal: Principal,
  password: string,
): Promise<{ provedUntil: number; cookie: string }> {
  const cookie = readSessionCookie(visit.request.headers);
  const { via: session } = principal;
  if (principal.way !== 'local' || cookie === null || session === null)
    throw new RedriveError(
      'FORBIDDEN',
      'A password proves who somebody is who signed in by one. You came in another way.',
    );
  await checkPassword(visit, localUserOf(principal.id), password, {
    takeAttempt: () => takeProof(session),
    // No crowd at the door keeps somebody waiting who is inside.
    networks: [`the session of ${principal.id}`],
    isStranger: false,
    sentence: 'The password is not right. Nothing was changed.',
  });
  const renewed = await renewSession(digestOf(cookie), actorOf({ principal, ...visit }));
  const provedUntil = Date.now() + readEnv(process.env).REDRIVE_PROOF_MINUTES * 60_000;
  return { provedUntil, cookie: renewed.cookie };
}

/**
 * An attempt counts before its password is looked at, and a refusal is on record.
 * @param known null: nobody is called so, which costs and answers the same
 * @throws RedriveError SIGN_IN_FAILED | TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE
 */
export async function checkPassword(
  visit: Visit,
  known: KnownUser | null,
  password: string,
  {
    takeAttempt,
    networks,
    isStranger,
    sentence,
  }: {
    takeAttempt: () => Promise<Attempt>;
    networks: readonly string[];
    isStranger: boolean;
    sentence: string;
  },
): Promise<KnownUser> {
  const who = known && { id: known.personId, name: known.user.name, way: 'local' as const };
  const refuse = async (error: unknown): Promise<never> => {
    if (error instanceof RedriveError)
      if (error.code === 'SIGN_IN_FAILED' || error.code === 'TOO_MANY_ATTEMPTS')
        await noteRefusal(visit, { code: error.code, who, isStranger });
    throw error;
  };
  const attempt = await takeAttempt().catch(refuse);
  const hashes = localUsers().map(({ user }) => user.hash);
  const fits = await passwordFits(password, known?.user.hash ?? null, hashes, networks).catch(
    async (error: unknown) => {
      // Nothing was looked at, so it was no attempt: a crowd at the door must not use up the attempts of those it keeps out.
      if (error instanceof RedriveError) await attempt.undo();
      throw error;
    },
  );
  if (!fits || !known) return refuse(wrong(sentence, 'password'));
  await attempt.succeeded();
  return known;
}
