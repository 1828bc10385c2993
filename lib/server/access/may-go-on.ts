/** Whether an operation may go on in the name of whoever started it, or let it go on last: asked while it moves jobs. */
import { kindPermission } from '@/lib/contract/action-permissions';
import { areasOfScope } from '@/lib/contract/operation-areas';
import { covers, hasJob, hasQueue, type Within } from '@/lib/contract/permissions';
import type { OperationRecord, OperationRights } from '@/lib/contract/verbs';
import { getBroker } from '../broker';
import { type Principal, withinOf } from './principal';
import { rightsOf } from './rights';
import { isAsleep, ownerRights } from './token-owner';

type Answer = { readonly ok: true } | { readonly ok: false; readonly sentence: string };
const OK: Answer = { ok: true };
const no = (why: string): Answer => ({
  ok: false,
  sentence: `${why}. What was moved stays moved; somebody who may do this can resume it.`,
});

export async function mayGoOn({
  kind,
  scope,
  target,
  rights,
}: Pick<OperationRecord, 'kind' | 'scope' | 'target' | 'rights'>): Promise<Answer> {
  // Whoever has this machine has its console; and a call of the library is asked nothing.
  if (rights === null || rights.way === 'none' || rights.way === 'link') return OK;
  const principal = await principalNow(rights);
  if (!principal) return no(`${rights.actor}, who answers for this operation, has no access any more`);
  const permission = kindPermission(kind);
  const areas = areasOfScope(scope);
  if (!covers(withinOf(principal, permission), areas))
    return no(
      `${rights.actor}, who answers for this operation, no longer has the permission "${permission}" for all of it`,
    );
  if (target !== null && !mayArrive(withinOf(principal, 'enqueue'), areas, target))
    return no(`${rights.actor}, who answers for this operation, may no longer put jobs into ${target}`);
  return OK;
}

/**
 * Why whoever answers for a schedule could not make it now; null: they could, or nobody is asked. It goes on all the same: it is the
 * queue's, and the one whom it serves is not the one who left.
 */
export function makerRefusals(): (
  rights: OperationRights | null,
  where: { queue: string; tenant: string },
) => Promise<string | null> {
  const principals = new Map<string, Promise<Principal | null>>();
  return async (rights, { queue, tenant }) => {
    if (rights === null || rights.way === 'none' || rights.way === 'link') return null;
    const principal = principals.get(rights.actorId) ?? principalNow(rights);
    principals.set(rights.actorId, principal);
    const now = await principal;
    if (!now) return `${rights.actor}, who made it, has no access any more.`;
    return hasJob(withinOf(now, 'operate'), queue, tenant)
      ? null
      : `${rights.actor}, who made it, no longer has the permission "operate" for jobs of ${tenant} in ${queue}.`;
  };
}

/** Jobs keep their tenants when they are moved. */
const mayArrive = (within: Within, areas: Within, target: string): boolean =>
  areas.every(({ tenants }) =>
    tenants === null ? hasQueue(within, target) : tenants.every((tenant) => hasJob(within, target, tenant)),
  );

/** Null: they are not let in any more. */
async function principalNow(by: OperationRights): Promise<Principal | null> {
  const grants = by.way === 'token' ? await grantsOfToken(by.actorId) : await grantsOfPerson(by);
  if (!grants) return null;
  return {
    id: by.actorId,
    name: by.actor,
    chosen: false,
    way: by.way,
    grants,
    via: by.via ?? null,
    address: by.address ?? '',
    provedUntil: null,
    expiresAt: null,
  };
}

async function grantsOfPerson({ actorId, way }: OperationRights): Promise<Principal['grants'] | null> {
  const rights = rightsOf(await getBroker().access.people.get(actorId), way);
  return rights && [rights.grants];
}

const TOKEN = 'token:';
async function grantsOfToken(actorId: string): Promise<Principal['grants'] | null> {
  const found = await getBroker().access.tokens.get(actorId.slice(TOKEN.length));
  if (!found || isAsleep(found)) return null;
  const rights = ownerRights(found);
  return rights && [found.token.grants, rights.grants];
}
