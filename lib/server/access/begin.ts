/** Begins a session for somebody who was recognised, whatever way they came: always a new one, never one the browser brought along. */
import type { Actor } from '@/lib/broker';
import type { SignedIn, WayIn } from '@/lib/contract/access';
import { RedriveError } from '@/lib/contract/errors';
import { getRefusals } from '../audit-refusals';
import { getBroker } from '../broker';
import { readEnv } from '../env';
import { addressOf } from './address';
import { takeSignInShare } from './change-share';
import { digestOf, newSecret, readSessionCookie, sessionCookie } from './cookies';

/** A request that somebody signs in with, and the id it has in the log. */
export interface Visit {
  readonly request: Request;
  readonly requestId: string;
}

export interface Recognised {
  readonly id: string;
  readonly name: string;
  readonly way: WayIn;
  readonly groups: readonly string[];
  /** What must still be so for the session to go on, such as the password; null: nothing. */
  readonly stamp: string | null;
  /** When they said who they are, where that was not just now: null, nobody knows. */
  readonly authenticatedAt?: number | null;
}

export const visitor = (visit: Visit, who: { id: string; name: string; way: WayIn }): Actor => ({
  actor: who.name,
  actorId: who.id,
  way: who.way,
  address: addressOf(visit.request),
  requestId: visit.requestId,
});

/** @throws RedriveError SIGN_IN_FAILED for somebody who is not let in any more | RATE_LIMITED | REDIS_UNAVAILABLE | UNKNOWN_OUTCOME */
export async function beginSession(
  visit: Visit,
  person: Recognised,
): Promise<{ signedIn: SignedIn; cookie: string }> {
  const { REDRIVE_SESSION_IDLE_MINUTES, REDRIVE_SESSION_MAX_HOURS } = readEnv(process.env);
  const maxMs = Math.round(REDRIVE_SESSION_MAX_HOURS * 3_600_000);
  if (person.way !== 'link') await takeSignInShare(person.id);
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
        provedAgoMs: Math.max(0, Date.now() - (authenticatedAt ?? 0)),
      },
      visitor(visit, person),
    )
    .catch(async (error: unknown) => {
      if (error instanceof RedriveError && error.code === 'SIGN_IN_FAILED')
        await noteRefusal(visit, { code: 'FORBIDDEN', who: person });
      throw error;
    });
  return {
    signedIn: { id: person.id, name: person.name, expiresAt },
    cookie: sessionCookie(secret, maxMs / 1_000),
  };
}

/**
 * Enters a sign-in that failed, within the bounds of all refusals. It fails all the same when that cannot be written.
 * @param who null: nobody is known by that name, and what was typed there may have been a password
 * @param isStranger false: they have a session, and it is their own share that is used
 */
export async function noteRefusal(
  visit: Visit,
  refusal: {
    code: 'SIGN_IN_FAILED' | 'TOO_MANY_ATTEMPTS' | 'FORBIDDEN';
    who: { id: string; name: string; way: WayIn } | null;
    isStranger?: boolean;
  },
): Promise<void> {
  const { code, who, isStranger = true } = refusal;
  const { requestId } = visit;
  const by = who
    ? visitor(visit, who)
    : { actor: 'nobody known', address: addressOf(visit.request), requestId };
  const object = who ? { object: { kind: 'person' as const, id: who.id } } : {};
  await getRefusals().add({ action: 'session.begin', result: 'refused', code, isStranger, ...object }, by);
}
