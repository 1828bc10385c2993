/** API tokens: a person gives a program some of what they may do themselves. */

import type { z } from 'zod';
import type { Actor, Broker } from '@/lib/broker';
import { TOKEN_PREFIX, type TokenView, type tokenRequestSchema } from '@/lib/contract/access';
import { RedriveError } from '@/lib/contract/errors';
import { areasOf, covers, type Grant, PERMISSIONS } from '@/lib/contract/permissions';
import { getBroker } from '../broker';
import { digestOf, newSecret } from './cookies';
import { localUserOf } from './local-users';
import { mayManage, needPerson, needToManage, needToSee } from './manage';
import { needProof } from './need';
import { type Principal, withinOf } from './principal';
import { endOf } from './token-owner';

const DAY_MS = 86_400_000;
/** Enough to tell it in a list, and far too little to use it. */
const HINT_CHARS = TOKEN_PREFIX.length + 4;
type Token = Awaited<ReturnType<Broker['access']['tokens']['list']>>[number];

/** @throws RedriveError FORBIDDEN */
export async function listTokens(
  principal: Principal,
  all: boolean,
): Promise<{ at: number; tokens: TokenView[] }> {
  needPerson(principal);
  if (all) needToSee(principal);
  const { access, now } = getBroker();
  const tokens = await access.tokens.list(all ? null : principal.id);
  return { at: await now(), tokens: tokens.map(viewOf) };
}

/** The token itself is in this answer and nowhere else. @throws RedriveError FORBIDDEN | PROOF_NEEDED | LIMIT_REACHED | VALIDATION */
export async function createToken(
  principal: Principal,
  request: z.output<typeof tokenRequestSchema>,
  by: Actor,
): Promise<{ token: string; view: TokenView }> {
  needPerson(principal);
  const { name, grants, expiresInDays } = request;
  needToHold(principal, grants);
  // A token outlives the session it is made in, and is never asked who it is: whoever found a page open must not leave with one.
  needProof(principal);
  const token = `${TOKEN_PREFIX}${newSecret()}`;
  await dropEnded(principal.id, by);
  const made = await getBroker().access.tokens.create(
    {
      digest: digestOf(token),
      name,
      hint: token.slice(0, HINT_CHARS),
      owner: {
        id: principal.id,
        name: principal.name,
        way: principal.way,
        generation: localUserOf(principal.id)?.tokenGeneration ?? 1,
      },
      grants,
      forMs: expiresInDays * DAY_MS,
    },
    by,
  );
  return { token, view: viewOf(made) };
}

/** One's own, or somebody's. @throws RedriveError TOKEN_NOT_FOUND | FORBIDDEN | PROOF_NEEDED */
export async function revokeToken(principal: Principal, id: string, by: Actor): Promise<{ ended: number }> {
  needPerson(principal);
  const { tokens } = getBroker().access;
  if (await tokens.revoke(id, { ownerId: principal.id }, by)) return { ended: 1 };
  if (mayManage(principal)) {
    needToManage(principal);
    if (await tokens.revoke(id, {}, by)) return { ended: 1 };
  }
  throw new RedriveError('TOKEN_NOT_FOUND', 'There is no such token. It may have been revoked already.', {
    fields: [{ field: 'id', message: 'names no token' }],
  });
}

/** Those that ended with a password leave their places to new ones. How many there were. */
export async function dropEnded(ownerId: string, by: Actor): Promise<number> {
  const { tokens } = getBroker().access;
  let dropped = 0;
  for (const token of await tokens.list(ownerId))
    if (endOf(token) !== null && (await tokens.revoke(token.id, { ownerId }, by))) dropped += 1;
  return dropped;
}

/** Nobody gives what they do not have. Access itself is never given: a token does not have it whatever its role says. @throws RedriveError FORBIDDEN */
function needToHold(principal: Principal, grants: readonly Grant[]): void {
  const lacking = PERMISSIONS.filter((permission) => permission !== 'access').find(
    (permission) => !covers(withinOf(principal, permission), areasOf(grants, permission)),
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
  endedBy: endOf(token),
  lastUsedAt: token.lastUsedAt,
  lastAddress: token.lastAddress,
});
