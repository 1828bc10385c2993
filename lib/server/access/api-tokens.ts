/** API tokens: a user gives a program some of their own permissions. */

import type { z } from 'zod';
import type { Actor, Broker } from '@/lib/broker';
import { TOKEN_PREFIX } from '@/lib/contract/access/access-limits';
import type { TokenView, tokenRequestSchema } from '@/lib/contract/access/access-schemas';
import { type Grant, PERMISSIONS, scopeCovers, scopeOfPermission } from '@/lib/contract/access/grant-scopes';
import { RedriveError } from '@/lib/contract/redrive-error';
import { DAY_MS } from '@/lib/contract/time-units';
import { type Principal, scopeOf } from '../authentication/principal';
import { digestOf, newSecret } from '../authentication/session-cookie';
import { removeEndedTokens, tokenEnd } from '../authentication/token-owner';
import { localUserOf } from '../authentication/users/local-users';
import {
  mayManageAccess,
  requireAccessManagement,
  requireAccessOverview,
  requireReauthentication,
  requireUserSession,
} from '../authorization/require-permission';
import { getBroker } from '../console-broker';

/** Enough to recognise a token in a list, and far too few to use it. */
const HINT_CHARS = TOKEN_PREFIX.length + 4;
type Token = Awaited<ReturnType<Broker['access']['tokens']['list']>>[number];

/** @throws RedriveError FORBIDDEN */
export async function listTokens(
  principal: Principal,
  all: boolean,
): Promise<{ at: number; tokens: TokenView[] }> {
  requireUserSession(principal);
  if (all) requireAccessOverview(principal);
  const { access, now } = getBroker();
  const tokens = await access.tokens.list(all ? null : principal.id);
  return { at: await now(), tokens: tokens.map(viewOf) };
}

/** Only this response shows the token. @throws RedriveError FORBIDDEN | REAUTHENTICATION_REQUIRED | LIMIT_REACHED | VALIDATION */
export async function createToken(
  principal: Principal,
  request: z.output<typeof tokenRequestSchema>,
  by: Actor,
): Promise<{ token: string; view: TokenView }> {
  requireUserSession(principal);
  const { name, grants, expiresInDays } = request;
  requireGrantsOfOwner(principal, grants);
  // A token outlives its session: an open page alone must not be enough to create one.
  requireReauthentication(principal);
  const token = `${TOKEN_PREFIX}${newSecret()}`;
  await removeEndedTokens(principal.id, by);
  const made = await getBroker().access.tokens.create(
    {
      digest: digestOf(token),
      name,
      hint: token.slice(0, HINT_CHARS),
      owner: {
        id: principal.id,
        name: principal.name,
        method: principal.method,
        generation: localUserOf(principal.id)?.tokenGeneration ?? 1,
      },
      grants,
      forMs: expiresInDays * DAY_MS,
    },
    by,
  );
  return { token, view: viewOf(made) };
}

/** Of the user, or of any user with `access`. @throws RedriveError TOKEN_NOT_FOUND | FORBIDDEN | REAUTHENTICATION_REQUIRED */
export async function revokeToken(principal: Principal, id: string, by: Actor): Promise<{ ended: number }> {
  requireUserSession(principal);
  const { tokens } = getBroker().access;
  if (await tokens.revoke(id, { ownerId: principal.id }, by)) return { ended: 1 };
  if (mayManageAccess(principal)) {
    requireAccessManagement(principal);
    if (await tokens.revoke(id, {}, by)) return { ended: 1 };
  }
  throw new RedriveError('TOKEN_NOT_FOUND', 'There is no such token. It may have been revoked already.', {
    fields: [{ field: 'id', message: 'names no token' }],
  });
}

/** A token gets only permissions that its owner has, and never `access`. @throws RedriveError FORBIDDEN */
function requireGrantsOfOwner(principal: Principal, grants: readonly Grant[]): void {
  const lacking = PERMISSIONS.filter((permission) => permission !== 'access').find(
    (permission) => !scopeCovers(scopeOf(principal, permission), scopeOfPermission(grants, permission)),
  );
  if (lacking === undefined) return;
  throw new RedriveError(
    'FORBIDDEN',
    `The token would have the permission "${lacking}" where ${principal.name} does not. Give it a lesser role, or fewer queues.`,
    { fields: [{ field: 'grants', message: `give ${lacking} where you do not have it` }] },
  );
}

const viewOf = (token: Token): TokenView => ({
  id: token.id,
  name: token.name,
  hint: token.hint,
  owner: { id: token.ownerId, name: token.ownerName },
  grants: [...token.grants],
  createdAt: token.createdAt,
  expiresAt: token.expiresAt,
  endedBy: tokenEnd(token),
  lastUsedAt: token.lastUsedAt,
  lastAddress: token.lastAddress,
});
