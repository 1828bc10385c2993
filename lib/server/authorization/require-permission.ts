/**
 * The permission checks behind every method a request can reach. A queue or job that the principal must not see is refused like one that
 * does not exist; an action that is not allowed on a visible one is refused by its permission's name.
 */

import {
  isFullScope,
  PERMISSIONS,
  type Permission,
  scopeHasJob,
  scopeHasQueue,
  scopeReachesQueue,
} from '@/lib/contract/access/grant-scopes';
import { noSuchJob, noSuchQueue } from '@/lib/contract/not-found-errors';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type Principal, scopeOf } from '../authentication/principal';

/** Irreversible actions and access management: these need a recent re-authentication. */
const NEEDS_REAUTHENTICATION: ReadonlySet<Permission> = new Set(['destroy', 'access']);

export const permissionRefusal = (
  principal: Principal,
  permission: Permission,
  where: string,
): RedriveError =>
  new RedriveError(
    'FORBIDDEN',
    `This needs the permission "${permission}"${where}, which ${principal.name} does not have. Nothing was changed.`,
    { fields: [{ field: 'permission', message: `${permission} is missing` }] },
  );

/** @throws RedriveError REAUTHENTICATION_REQUIRED */
export function requireReauthentication(principal: Principal): void {
  if (principal.reauthenticatedUntil === null || principal.reauthenticatedUntil > Date.now()) return;
  throw new RedriveError(
    'REAUTHENTICATION_REQUIRED',
    'This action needs a recent sign-in. Confirm your identity and repeat it. Nothing was changed.',
    { fields: [{ field: 'session', message: 'needs a recent sign-in' }] },
  );
}

function requireRecentSignIn(principal: Principal, permission: Permission): void {
  if (NEEDS_REAUTHENTICATION.has(permission)) requireReauthentication(principal);
}

/** In at least one queue. @throws RedriveError FORBIDDEN | REAUTHENTICATION_REQUIRED */
export function requirePermission(principal: Principal, permission: Permission): void {
  if (scopeOf(principal, permission).length === 0) throw permissionRefusal(principal, permission, '');
  requireRecentSignIn(principal, permission);
}

/** For what belongs to no queue: users, tokens, the lab, all metrics. @throws RedriveError FORBIDDEN | REAUTHENTICATION_REQUIRED */
export function requireEverywhere(principal: Principal, permission: Permission): void {
  if (!isFullScope(scopeOf(principal, permission)))
    throw permissionRefusal(principal, permission, ' for all queues and tenants');
  requireRecentSignIn(principal, permission);
}

const reaches = (principal: Principal, queue: string): boolean =>
  PERMISSIONS.some((permission) => scopeReachesQueue(scopeOf(principal, permission), queue));

/** The queue as a whole. @throws RedriveError QUEUE_NOT_FOUND | FORBIDDEN | REAUTHENTICATION_REQUIRED */
export function requireWholeQueue(principal: Principal, permission: Permission, queue: string): void {
  if (!reaches(principal, queue)) throw noSuchQueue(queue);
  if (!scopeHasQueue(scopeOf(principal, permission), queue))
    throw permissionRefusal(principal, permission, ` for the whole queue ${queue}`);
  requireRecentSignIn(principal, permission);
}

/** For some of its jobs, to which the request is then limited. @throws RedriveError QUEUE_NOT_FOUND | FORBIDDEN | REAUTHENTICATION_REQUIRED */
export function requirePartOfQueue(principal: Principal, permission: Permission, queue: string): void {
  if (!reaches(principal, queue)) throw noSuchQueue(queue);
  if (!scopeReachesQueue(scopeOf(principal, permission), queue))
    throw permissionRefusal(principal, permission, ` for ${queue}`);
  requireRecentSignIn(principal, permission);
}

/** For one tenant, where no job is named: new jobs, a pause. @throws RedriveError QUEUE_NOT_FOUND | FORBIDDEN | REAUTHENTICATION_REQUIRED */
export function requireTenant(
  principal: Principal,
  permission: Permission,
  queue: string,
  tenant: string,
): void {
  if (!reaches(principal, queue)) throw noSuchQueue(queue);
  if (!scopeHasJob(scopeOf(principal, permission), queue, tenant))
    throw permissionRefusal(principal, permission, ` for jobs of ${tenant} in ${queue}`);
  requireRecentSignIn(principal, permission);
}

/** @throws RedriveError JOB_NOT_FOUND | FORBIDDEN | REAUTHENTICATION_REQUIRED */
export function requireJob(
  principal: Principal,
  permission: Permission,
  job: { queue: string; jobId: string; tenant: string },
): void {
  const { queue, jobId, tenant } = job;
  if (!PERMISSIONS.some((one) => scopeHasJob(scopeOf(principal, one), queue, tenant)))
    throw noSuchJob(queue, jobId);
  if (!scopeHasJob(scopeOf(principal, permission), queue, tenant))
    throw permissionRefusal(principal, permission, ` for jobs of ${tenant} in ${queue}`);
  requireRecentSignIn(principal, permission);
}

export const mayManageAccess = (principal: Principal): boolean => isFullScope(scopeOf(principal, 'access'));

/** To change sessions, tokens or rights of other users. @throws RedriveError FORBIDDEN | REAUTHENTICATION_REQUIRED */
export const requireAccessManagement = (principal: Principal): void => requireEverywhere(principal, 'access');

/** To see sessions, tokens and rights of other users: reading needs no re-authentication. @throws RedriveError FORBIDDEN */
export function requireAccessOverview(principal: Principal): void {
  if (!mayManageAccess(principal)) requireEverywhere(principal, 'access');
}

/** A leaked token must not be able to create tokens or to end its owner's sessions. @throws RedriveError FORBIDDEN */
export function requireUserSession(principal: Principal): void {
  if (principal.method !== 'token') return;
  throw new RedriveError(
    'FORBIDDEN',
    'API tokens cannot manage sessions and tokens: sign in as a user. Nothing was changed.',
    { fields: [{ field: 'Authorization', message: 'is a token' }] },
  );
}
