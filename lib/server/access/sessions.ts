/** Sessions as people see them: their own, and for those who look after access everybody's. */
import type { Actor } from '@/lib/broker';
import type { SessionView } from '@/lib/contract/access';
import { RedriveError } from '@/lib/contract/errors';
import { getBroker } from '../broker';
import { digestOf, newSecret, sessionCookie } from './cookies';
import { mayManage, needPerson, needToManage, needToSee } from './manage';
import type { Principal } from './principal';

const SHOWN_MAX = 1_000;

/** @throws RedriveError FORBIDDEN */
export async function listSessions(
  principal: Principal,
  all: boolean,
): Promise<{ at: number; sessions: SessionView[] }> {
  needPerson(principal);
  if (all) needToSee(principal);
  const { access, now } = getBroker();
  const sessions = await access.sessions.list(all ? null : principal.id, SHOWN_MAX);
  return {
    at: await now(),
    sessions: sessions.map(
      ({ id, personId, personName, way, address, agent, createdAt, seenAt, expiresAt }) => ({
        id,
        personId,
        personName,
        way,
        address,
        agent,
        createdAt,
        seenAt,
        expiresAt,
        current: id === principal.via,
      }),
    ),
  };
}

/** One's own, or somebody's. @throws RedriveError SESSION_NOT_FOUND | FORBIDDEN | PROOF_NEEDED */
export async function endSession(principal: Principal, id: string, by: Actor): Promise<{ ended: number }> {
  needPerson(principal);
  const { sessions } = getBroker().access;
  if (await sessions.end({ id, personId: principal.id }, by)) return { ended: 1 };
  // Whoever looks after their own sessions only learns of no other.
  if (mayManage(principal)) {
    needToManage(principal);
    if (await sessions.end({ id }, by)) return { ended: 1 };
  }
  throw new RedriveError('SESSION_NOT_FOUND', 'There is no such session. It may have ended already.', {
    fields: [{ field: 'id', message: 'names no session' }],
  });
}

/**
 * Its person said once more who they are: the session goes on under a new id and cookie, and ends for whoever has a copy of the old one.
 * @throws RedriveError UNAUTHENTICATED
 */
export async function renewSession(digest: string, by: Actor): Promise<{ cookie: string }> {
  const secret = newSecret();
  const renewed = await getBroker().access.sessions.prove(digest, { digest: digestOf(secret) }, by);
  if (!renewed) throw new RedriveError('UNAUTHENTICATED', 'Your session has ended meanwhile. Sign in again.');
  return { cookie: sessionCookie(secret, renewed.leftMs / 1_000) };
}

/** All of one's own but the one that asks. @throws RedriveError FORBIDDEN */
export async function endOtherSessions(principal: Principal, by: Actor): Promise<{ ended: number }> {
  needPerson(principal);
  const stays = principal.via === null ? {} : { exceptId: principal.via };
  return { ended: await getBroker().access.sessions.endAll(principal.id, stays, by) };
}
