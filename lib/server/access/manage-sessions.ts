/** Sessions as the API shows them: the user's own, and with the permission `access` the sessions of all users. */
import type { Actor } from '@/lib/broker';
import type { SessionView } from '@/lib/contract/access/access-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { Principal } from '../authentication/principal';
import {
  mayManageAccess,
  requireAccessManagement,
  requireAccessOverview,
  requireUserSession,
} from '../authorization/require-permission';
import { getBroker } from '../console-broker';

const SHOWN_MAX = 1_000;

/** @throws RedriveError FORBIDDEN */
export async function listSessions(
  principal: Principal,
  all: boolean,
): Promise<{ at: number; sessions: SessionView[] }> {
  requireUserSession(principal);
  if (all) requireAccessOverview(principal);
  const { access, now } = getBroker();
  const sessions = await access.sessions.list(all ? null : principal.id, SHOWN_MAX);
  return {
    at: await now(),
    sessions: sessions.map(
      ({ id, userId, userName, method, address, agent, createdAt, seenAt, expiresAt }) => ({
        id,
        userId,
        userName,
        method,
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

/** Of the user, or of any user with `access`. @throws RedriveError SESSION_NOT_FOUND | FORBIDDEN | REAUTHENTICATION_REQUIRED */
export async function endSession(principal: Principal, id: string, by: Actor): Promise<{ ended: number }> {
  requireUserSession(principal);
  const { sessions } = getBroker().access;
  if (await sessions.end({ id, userId: principal.id }, by)) return { ended: 1 };
  // Without `access` the answer does not reveal other users' sessions.
  if (mayManageAccess(principal)) {
    requireAccessManagement(principal);
    if (await sessions.end({ id }, by)) return { ended: 1 };
  }
  throw new RedriveError('SESSION_NOT_FOUND', 'There is no such session. It may have ended already.', {
    fields: [{ field: 'id', message: 'names no session' }],
  });
}

/** All sessions of the user but the present one. @throws RedriveError FORBIDDEN */
export async function endOtherSessions(principal: Principal, by: Actor): Promise<{ ended: number }> {
  requireUserSession(principal);
  const stays = principal.via === null ? {} : { exceptId: principal.via };
  return { ended: await getBroker().access.sessions.endAll(principal.id, stays, by) };
}
