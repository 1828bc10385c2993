/** Starts a session for an authenticated user: always a new one, never one that the browser brought along. */
import type { Actor } from '@/lib/broker';
import type { SignInMethod } from '@/lib/contract/access/access-limits';
import type { SignedIn } from '@/lib/contract/access/access-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';
import { getRefusalLog } from '../audit/audit-refusals';
import { getBroker } from '../console-broker';
import { readEnv } from '../environment';
import { addressOf } from '../http/client-network';
import { digestOf, newSecret, readSessionCookie, sessionCookie } from './session-cookie';
import { takeSignInQuota } from './sign-in-quota';

/** The request of a sign-in, and its id in the log. */
export interface SignInRequest {
  readonly request: Request;
  readonly requestId: string;
}

export interface Identity {
  readonly id: string;
  readonly name: string;
  readonly method: SignInMethod;
  readonly groups: readonly string[];
  /** Must stay the same for the session to continue: changes with the password. Null: nothing. */
  readonly stamp: string | null;
  /** When the user authenticated, if not just now; null: unknown. */
  readonly authenticatedAt?: number | null;
}

export const signInActor = (
  visit: SignInRequest,
  who: { id: string; name: string; method: SignInMethod },
): Actor => ({
  actor: who.name,
  actorId: who.id,
  method: who.method,
  address: addressOf(visit.request),
  requestId: visit.requestId,
});

/** @throws RedriveError SIGN_IN_FAILED for a disabled user | RATE_LIMITED | REDIS_UNAVAILABLE | UNKNOWN_OUTCOME */
export async function createSession(
  visit: SignInRequest,
  person: Identity,
): Promise<{ signedIn: SignedIn; cookie: string }> {
  const { REDRIVE_SESSION_IDLE_MINUTES, REDRIVE_SESSION_MAX_HOURS } = readEnv(process.env);
  const maxMs = Math.round(REDRIVE_SESSION_MAX_HOURS * 3_600_000);
  if (person.method !== 'link') await takeSignInQuota(person.id);
  const secret = newSecret();
  const { authenticatedAt = Date.now() } = person;
  const before = readSessionCookie(visit.request.headers);
  const { expiresAt } = await getBroker()
    .access.sessions.begin(
      {
        digest: digestOf(secret),
        replaces: before === null ? null : digestOf(before),
        person,
        stamp: person.stamp,
        address: addressOf(visit.request),
        agent: visit.request.headers.get('user-agent') ?? '',
        idleMs: Math.round(REDRIVE_SESSION_IDLE_MINUTES * 60_000),
        maxMs,
        proved: authenticatedAt !== null,
        authenticatedAgoMs: Math.max(0, Date.now() - (authenticatedAt ?? 0)),
      },
      signInActor(visit, person),
    )
    .catch(async (error: unknown) => {
      if (error instanceof RedriveError && error.code === 'SIGN_IN_FAILED')
        await recordSignInRefusal(visit, { code: 'FORBIDDEN', who: person });
      throw error;
    });
  return {
    signedIn: { id: person.id, name: person.name, expiresAt },
    cookie: sessionCookie(secret, maxMs / 1_000),
  };
}

/**
 * After a re-authentication the session continues under a new id and cookie; a copy of the old cookie stops working.
 * @throws RedriveError UNAUTHENTICATED
 */
export async function renewSession(digest: string, by: Actor): Promise<{ cookie: string }> {
  const secret = newSecret();
  const renewed = await getBroker().access.sessions.reauthenticate(digest, { digest: digestOf(secret) }, by);
  if (!renewed) throw new RedriveError('UNAUTHENTICATED', 'Your session has ended. Sign in again.');
  return { cookie: sessionCookie(secret, renewed.leftMs / 1_000) };
}

/**
 * Records a failed sign-in, within the bounds of all refusals.
 * @param who null: no user has that name, and the text typed there may have been a password
 * @param why what came and what was wanted, bounded
 * @param isStranger false: the user has a session, and it counts against the user instead of the network
 */
export async function recordSignInRefusal(
  visit: SignInRequest,
  refusal: {
    code: 'SIGN_IN_FAILED' | 'TOO_MANY_ATTEMPTS' | 'FORBIDDEN';
    who: { id: string; name: string; method: SignInMethod } | null;
    why?: string;
    isStranger?: boolean;
  },
): Promise<void> {
  const { code, who, why, isStranger = true } = refusal;
  const { requestId } = visit;
  const by = who
    ? signInActor(visit, who)
    : { actor: 'unknown user', address: addressOf(visit.request), requestId };
  const object = who ? { object: { kind: 'user' as const, id: who.id } } : {};
  const after = why === undefined ? {} : { after: JSON.stringify({ why }) };
  await getRefusalLog().add(
    { action: 'session.begin', result: 'refused', code, isStranger, ...object, ...after },
    by,
  );
}
