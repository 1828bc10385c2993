'use client';
/**
 * What the person at this browser may do, as far as the interface cares: what is nowhere theirs is not offered, what is not theirs
 * here is shown with the reason. The server decides each time anew; this only saves people a refusal.
 */
import { useMemo } from 'react';
import type { Me } from '@/lib/contract/access';
import {
  areasOf,
  hasJob,
  hasQueue,
  type Permission,
  reachesQueue,
  type Within,
} from '@/lib/contract/permissions';
import { useMe } from './use-me';

/** Where they hold it; empty: nowhere, or not known yet. */
export function useWithin(permission: Permission): Within {
  const grants = useMe().data?.grants;
  return useMemo(() => areasOf(grants ?? [], permission), [grants, permission]);
}

/** Without a queue: anywhere at all. With one: for all of it, or for the jobs of one tenant in it. */
export function useMay(permission: Permission, queue?: string, tenant?: string): boolean {
  return within(useWithin(permission), queue, tenant);
}

/** Whether anything can be done to jobs at all: else there is no use in selecting them. */
export function useMayAct(): boolean {
  const [operate, destroy] = [useMay('operate'), useMay('destroy')];
  return operate || destroy;
}

/** For a list of things of one queue, where a part of it is enough. */
export function useMaySome(queue: string): (permission: Permission) => boolean {
  const grants = useMe().data?.grants;
  return useMemo(
    () => (permission) => reachesQueue(areasOf(grants ?? [], permission), queue),
    [grants, queue],
  );
}

/** Something that can be done, as a button shows it. */
export interface Offer {
  /** Not theirs anywhere: no button. */
  shown: boolean;
  /** Why it cannot be done here; null: it can. */
  missing: string | null;
}

export function useOffer(permission: Permission, queue?: string, tenant?: string): Offer {
  const areas = useWithin(permission);
  return offerOf(areas, permission, queue, tenant);
}

/** The same where a part of the queue is enough. */
export function useOfferForSome(permission: Permission, queue: string): Offer {
  const areas = useWithin(permission);
  return {
    shown: areas.length > 0,
    missing: reachesQueue(areas, queue) ? null : missingWords(permission, queue),
  };
}

/** For a list of things of which each asks for its own permission. */
export function usePermits(): (permission: Permission, queue?: string, tenant?: string) => boolean {
  const grants = useMe().data?.grants;
  return useMemo(
    () => (permission, queue, tenant) => within(areasOf(grants ?? [], permission), queue, tenant),
    [grants],
  );
}

export function offerOf(areas: Within, permission: Permission, queue?: string, tenant?: string): Offer {
  return {
    shown: areas.length > 0,
    missing: within(areas, queue, tenant) ? null : missingWords(permission, queue, tenant),
  };
}

/** The reason as a sentence. */
export function missingWords(permission: Permission, queue?: string, tenant?: string): string {
  const where =
    queue === undefined
      ? ''
      : tenant === undefined
        ? ` for the whole queue ${queue}`
        : ` for jobs of ${tenant} in ${queue}`;
  return `This needs the permission "${permission}"${where}, which you do not have.`;
}

/** Whether they see all of some queue: else there is no count that is theirs to see. */
export const seesWholeQueues = ({ grants }: Pick<Me, 'grants'>): boolean =>
  areasOf(grants, 'view').some(({ tenants }) => tenants === null);

function within(areas: Within, queue?: string, tenant?: string): boolean {
  if (queue === undefined) return areas.length > 0;
  return tenant === undefined ? hasQueue(areas, queue) : hasJob(areas, queue, tenant);
}
