/** Whether the user behind a running operation or a schedule still has the permission for it. Checked while an operation moves jobs. */
import { operationPermission } from '@/lib/contract/access/action-permissions';
import {
  type AccessScope,
  scopeCovers,
  scopeHasJob,
  scopeHasQueue,
} from '@/lib/contract/access/grant-scopes';
import { operationAccessScope } from '@/lib/contract/operations/operation-access-scope';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import type { OperationRights } from '@/lib/contract/operations/operation-rights';
import { ANONYMOUS, type Principal, scopeOf } from '../authentication/principal';
import { isSuspended, tokenOwnerRights } from '../authentication/token-owner';
import { rightsOf } from '../authentication/user-rights';
import { getBroker } from '../console-broker';

type Answer = { readonly ok: true } | { readonly ok: false; readonly sentence: string };
const OK: Answer = { ok: true };
const no = (why: string): Answer => ({
  ok: false,
  sentence: `${why}. Moved jobs stay moved; a user with the permission can resume it.`,
});

export async function operationStillAuthorized({
  kind,
  scope,
  target,
  principal: rights,
}: Pick<OperationRecord, 'kind' | 'scope' | 'target' | 'principal'>): Promise<Answer> {
  // AUTH=none, the sign-in link and library calls have full access.
  if (rights === null || rights.method === 'none' || rights.method === 'link') return OK;
  const principal = await principalNow(rights);
  if (!principal)
    return no(`${rights.actor}, who started or last resumed this operation, has no access any more`);
  const permission = operationPermission(kind);
  const areas = operationAccessScope(scope);
  if (!scopeCovers(scopeOf(principal, permission), areas))
    return no(
      `${rights.actor}, who started or last resumed this operation, no longer has the permission "${permission}" for all of it`,
    );
  if (target !== null && !mayArrive(scopeOf(principal, 'enqueue'), areas, target))
    return no(
      `${rights.actor}, who started or last resumed this operation, may no longer enqueue jobs into ${target}`,
    );
  return OK;
}

/** Why the owner of a schedule could not create it now; null: they could. It keeps running: it belongs to the queue, not to its owner. */
export function scheduleOwnerRefusals(): (
  rights: OperationRights | null,
  where: { queue: string; tenant: string },
) => Promise<string | null> {
  const principals = new Map<string, Promise<Principal | null>>();
  return async (rights, { queue, tenant }) => {
    if (rights === null || rights.method === 'none' || rights.method === 'link') return null;
    const principal = principals.get(rights.actorId) ?? principalNow(rights);
    principals.set(rights.actorId, principal);
    const now = await principal;
    if (!now) return `${rights.actor}, who made it, has no access any more.`;
    return scopeHasJob(scopeOf(now, 'operate'), queue, tenant)
      ? null
      : `${rights.actor}, who made it, no longer has the permission "operate" for jobs of ${tenant} in ${queue}.`;
  };
}

/** Jobs keep their tenants when they are moved. */
const mayArrive = (within: AccessScope, areas: AccessScope, target: string): boolean =>
  areas.every(({ tenants }) =>
    tenants === null
      ? scopeHasQueue(within, target)
      : tenants.every((tenant) => scopeHasJob(within, target, tenant)),
  );

/** Null: no access any more. */
async function principalNow(by: OperationRights): Promise<Principal | null> {
  const grants = by.method === 'token' ? await grantsOfToken(by.actorId) : await grantsOfPerson(by);
  if (!grants) return null;
  return {
    ...ANONYMOUS,
    id: by.actorId,
    name: by.actor,
    method: by.method,
    grants,
    via: by.via ?? null,
    address: by.address ?? '',
  };
}

async function grantsOfPerson({ actorId, method }: OperationRights): Promise<Principal['grants'] | null> {
  const rights = rightsOf(await getBroker().access.users.get(actorId), method);
  return rights && [rights.grants];
}

const TOKEN = 'token:';
async function grantsOfToken(actorId: string): Promise<Principal['grants'] | null> {
  const found = await getBroker().access.tokens.get(actorId.slice(TOKEN.length));
  if (!found || isSuspended(found)) return null;
  const rights = tokenOwnerRights(found);
  return rights && [found.token.grants, rights.grants];
}
