/** Begins a session for somebody who was recognised, whatever way they came: always a new one, never one the browser brought along. */
import type { Actor } from '@/lib/broker';
import type { SignedIn, WayIn } from '@/lib/contract/access';
import { RedriveError } from '@/lib/contract/errors';
import { getBroker } from '../broker';
import { readEnv } from '../env';
import { log } from '../log';
import { singleton } from '../singleton';
import { addressOf } from './address';
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

/** @throws RedriveError SIGN_IN_FAILED for somebody who is not let in any more | REDIS_UNAVAILABLE | UNKNOWN_OUTCOME */
export async function beginSession(
  visit: Visit,
  person: Recognised,
): Promise<{ signedIn: SignedIn; cookie: string }> {
  const { REDRIVE_SESSION_IDLE_MINUTES, REDRIVE_SESSION_MAX_HOURS } = readEnv(process.env);
  const maxMs = Math.round(REDRIVE_SESSION_MAX_HOURS * 3_600_000);
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

/** Who goes on trying when nothing is looked at any more is entered once a minute, not with every try. */
const LIMITED_EVERY_MS = 60_000;
const LIMITED_MAX = 1_000;
const limited = singleton('sign-in-limited', () => new Map<string, number>());

function isToldAlready(key: string): boolean {
  const now = Date.now();
  const told = limited().get(key);
  if (told !== undefined && now - told < LIMITED_EVERY_MS) return true;
  if (limited().size >= LIMITED_MAX) limited().clear();
  limited().set(key, now);
  return false;
}

/**
 * Enters a sign-in that failed. It fails all the same when that cannot be written.
 * @param who null: nobody is known by that name, and what was typed there may have been a password
 */
export async function noteRefusal(
  visit: Visit,
  { code, who }: { code: string; who: { id: string; name: string; way: WayIn } | null },
): Promise<void> {
  const address = addressOf(visit.request);
  if (code === 'TOO_MANY_ATTEMPTS' && isToldAlready(`${address} ${who?.id}`)) return;
  const { requestId } = visit;
  const by = who ? visitor(visit, who) : { actor: 'nobody known', address, requestId };
  const object = who ? { object: { kind: 'person' as const, id: who.id } } : {};
  await getBroker()
    .audit.note({ action: 'session.begin', result: 'refused', code, ...object }, by)
    .catch((error: unknown) =>
      log().warn({ err: error, code, requestId }, 'a refused sign-in could not be entered in the audit log'),
    );
}
