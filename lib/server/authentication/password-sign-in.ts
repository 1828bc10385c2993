/** Sign-in and re-authentication by password. The answers do not reveal which names exist. */
import { RedriveError } from '@/lib/contract/redrive-error';
import { nameKey } from '@/lib/users/users-file';
import { readEnv } from '../environment';
import { addressOf, networksOf } from '../http/client-network';
import { createSession, recordSignInRefusal, renewSession, type SignInRequest } from './create-session';
import { actorOf, type Principal } from './principal';
import { digestOf, readSessionCookie } from './session-cookie';
import { type SignInAttempt, takePasswordAttempt, takeReauthenticationAttempt } from './sign-in-attempts';
import { hasSignInMethod } from './sign-in-methods';
import { type KnownUser, localUserNamed, localUserOf, localUsers } from './users/local-users';
import { passwordFits } from './users/password-hash';

const wrong = (detail: string, field: string): RedriveError =>
  new RedriveError('SIGN_IN_FAILED', detail, { fields: [{ field, message: 'is wrong' }] });

/** @throws RedriveError SIGN_IN_FAILED | TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE | UNKNOWN_OUTCOME */
export async function signInByPassword(
  visit: SignInRequest,
  given: { name: string; password: string },
): ReturnType<typeof createSession> {
  if (!hasSignInMethod('local'))
    throw new RedriveError(
      'SIGN_IN_FAILED',
      'Password sign-in is not enabled. Use a method offered on the sign-in page.',
    );
  const found = await checkPassword(visit, localUserNamed(given.name), given.password, {
    takeAttempt: () => takePasswordAttempt(addressOf(visit.request), `local:${nameKey(given.name)}`),
    networks: networksOf(addressOf(visit.request)),
    isStranger: true,
    sentence: 'Wrong name or password.',
  });
  return createSession(visit, {
    id: found.userId,
    name: found.user.name,
    method: 'local',
    groups: [],
    stamp: found.stamp,
  });
}

/**
 * Destructive actions then need no re-authentication for a while. The session continues under a new id.
 * @returns until when, and the cookie of that
 * @throws RedriveError FORBIDDEN | SIGN_IN_FAILED | TOO_MANY_ATTEMPTS | UNAUTHENTICATED | REDIS_UNAVAILABLE | UNKNOWN_OUTCOME
 */
export async function reauthenticateByPassword(
  visit: SignInRequest,
  principal: Principal,
  password: string,
): Promise<{ reauthenticatedUntil: number; cookie: string }> {
  const cookie = readSessionCookie(visit.request.headers);
  const { via: session } = principal;
  if (principal.method !== 'local' || cookie === null || session === null)
    throw new RedriveError(
      'FORBIDDEN',
      'Only users who signed in by password can confirm their identity by password.',
    );
  await checkPassword(visit, localUserOf(principal.id), password, {
    takeAttempt: () => takeReauthenticationAttempt(session),
    // A flood of sign-ins must not delay users with a session.
    networks: [`the session of ${principal.id}`],
    isStranger: false,
    sentence: 'Wrong password. Nothing was changed.',
  });
  const renewed = await renewSession(digestOf(cookie), actorOf({ principal, ...visit }));
  const reauthenticatedUntil = Date.now() + readEnv(process.env).REDRIVE_REAUTHENTICATION_MINUTES * 60_000;
  return { reauthenticatedUntil, cookie: renewed.cookie };
}

/**
 * An attempt counts before its password is checked, and a refusal is recorded.
 * @param known null: no such user, which costs and answers the same
 * @throws RedriveError SIGN_IN_FAILED | TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE
 */
export async function checkPassword(
  visit: SignInRequest,
  known: KnownUser | null,
  password: string,
  {
    takeAttempt,
    networks,
    isStranger,
    sentence,
  }: {
    takeAttempt: () => Promise<SignInAttempt>;
    networks: readonly string[];
    isStranger: boolean;
    sentence: string;
  },
): Promise<KnownUser> {
  const who = known && { id: known.userId, name: known.user.name, method: 'local' as const };
  const refuse = async (error: unknown): Promise<never> => {
    if (error instanceof RedriveError)
      if (error.code === 'SIGN_IN_FAILED' || error.code === 'TOO_MANY_ATTEMPTS')
        await recordSignInRefusal(visit, { code: error.code, who, isStranger });
    throw error;
  };
  const attempt = await takeAttempt().catch(refuse);
  const hashes = localUsers().map(({ user }) => user.hash);
  const fits = await passwordFits(password, known?.user.hash ?? null, hashes, networks).catch(
    async (error: unknown) => {
      // The password was not checked: a flood must not use up the attempts of the users it delays.
      if (error instanceof RedriveError) await attempt.undo();
      throw error;
    },
  );
  if (!fits || !known) return refuse(wrong(sentence, 'password'));
  await attempt.succeeded();
  return known;
}
