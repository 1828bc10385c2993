'use client';
/**
 * The user's permissions, for the interface only: an action that is allowed nowhere is hidden, one that is not allowed
 * here is shown with the reason. The server checks every request again.
 */
import { useMemo } from 'react';
import type { Me } from '@/lib/contract/access/access-schemas';
import {
  type AccessScope,
  type Grant,
  type Permission,
  scopeHasJob,
  scopeHasQueue,
  scopeOfPermission,
  scopeReachesQueue,
} from '@/lib/contract/access/grant-scopes';
import { useMe } from './use-me';

/** The queues and tenants a permission covers; empty: none, or not known yet. */
export function useGrant(permission: Permission): AccessScope {
  const grants = useMe().data?.grants;
  return useMemo(() => scopeOfPermission(grants ?? [], permission), [grants, permission]);
}

/** Without a queue: anywhere. With one: in the whole queue, or for one of its tenants. */
export function useMay(permission: Permission, queue?: string, tenant?: string): boolean {
  return within(useGrant(permission), queue, tenant);
}

/** Whether any action on jobs is allowed; if not, selecting them is useless. */
export function useMayAct(): boolean {
  const [operate, destroy] = [useMay('operate'), useMay('destroy')];
  return operate || destroy;
}

/** For lists of one queue, where a permission on a part of it is enough. */
export function useMayForSome(queue: string): (permission: Permission) => boolean {
  const grants = useMe().data?.grants;
  return useMemo(
    () => (permission) => scopeReachesQueue(scopeOfPermission(grants ?? [], permission), queue),
    [grants, queue],
  );
}

/** An action as a button shows it. */
export interface Offer {
  /** Allowed nowhere: no button. */
  shown: boolean;
  /** Why the action is not allowed here; null: it is. */
  missing: string | null;
}

export function useOffer(permission: Permission, queue?: string, tenant?: string): Offer {
  const areas = useGrant(permission);
  return offerOf(areas, permission, queue, tenant);
}

/** The same, where a permission on a part of the queue is enough. */
export function useOfferForSome(permission: Permission, queue: string): Offer {
  const areas = useGrant(permission);
  return {
    shown: areas.length > 0,
    missing: scopeReachesQueue(areas, queue) ? null : missingPermissionMessage(permission, queue),
  };
}

/** Whether a permission is held: as `useMay`. */
export type Permits = (permission: Permission, queue?: string, tenant?: string) => boolean;

export const permitsOf =
  (grants: readonly Grant[]): Permits =>
  (permission, queue, tenant) =>
    within(scopeOfPermission(grants, permission), queue, tenant);

/** For lists of items that need different permissions. */
export function usePermits(): Permits {
  const grants = useMe().data?.grants;
  return useMemo(() => permitsOf(grants ?? []), [grants]);
}

export function offerOf(areas: AccessScope, permission: Permission, queue?: string, tenant?: string): Offer {
  return {
    shown: areas.length > 0,
    missing: within(areas, queue, tenant) ? null : missingPermissionMessage(permission, queue, tenant),
  };
}

/** The missing permission as a sentence. */
export function missingPermissionMessage(permission: Permission, queue?: string, tenant?: string): string {
  const where =
    queue === undefined
      ? ''
      : tenant === undefined
        ? ` for the whole queue ${queue}`
        : ` for jobs of ${tenant} in ${queue}`;
  return `This needs the permission "${permission}"${where}, which you do not have.`;
}

/** Whether the user sees at least one whole queue; counts are of whole queues. */
export const seesWholeQueues = ({ grants }: Pick<Me, 'grants'>): boolean =>
  scopeOfPermission(grants, 'view').some(({ tenants }) => tenants === null);

function within(areas: AccessScope, queue?: string, tenant?: string): boolean {
  if (queue === undefined) return areas.length > 0;
  return tenant === undefined ? scopeHasQueue(areas, queue) : scopeHasJob(areas, queue, tenant);
}
