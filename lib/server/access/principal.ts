/** Who a request is from, and where they hold which permission. Resolved anew for each request: see resolve.ts. */
import type { Actor } from '@/lib/broker';
import type { WayIn } from '@/lib/contract/access';
import type { Holder } from '@/lib/contract/ceilings';
import {
  areasOf,
  type Grant,
  intersection,
  isEverywhere,
  PERMISSIONS,
  type Permission,
  type Within,
} from '@/lib/contract/permissions';

export interface Principal {
  /** Stable, for records: `local:<id>`, `oidc:<provider>:<subject>`, `link`, `none`, `token:<id>`. */
  readonly id: string;
  readonly name: string;
  /** AUTH=none: whether the name is one they gave. */
  readonly chosen: boolean;
  readonly way: WayIn;
  /** Of a token: the person whose it is. */
  readonly ownerId?: string;
  readonly ownerName?: string;
  /** What is held, is held in each of them: a person has one set; a token its own, and its owner's of this moment. */
  readonly grants: readonly (readonly Grant[])[];
  /** The session or token as lists name it; it opens nothing. Null: AUTH=none. */
  readonly via: string | null;
  /** Where the request came from. */
  readonly address: string;
  /** Until when destructive actions ask for no new proof, in ms since 1970; null: they never ask. */
  readonly provedUntil: number | null;
  /** When the session ends by itself; null: has none. */
  readonly expiresAt: number | null;
}

/**
 * Whose share of the console's places and rates a request takes: the person's, whatever number of tokens they ask with. With AUTH=none
 * everybody has the same id, and there is nothing to divide: null.
 */
export const holderOf = (principal: Principal): string | null =>
  principal.way === 'none' ? null : (principal.ownerId ?? principal.id);

/** Worked out once a principal: a request may ask for each of a thousand jobs. */
const known = new WeakMap<Principal, Map<Permission, Within>>();

/** Where this permission holds; empty: nowhere. */
export function withinOf(principal: Principal, permission: Permission): Within {
  // Who may do what is decided by people: a token that leaked must not be able to make more of itself.
  if (principal.way === 'token' && permission === 'access') return [];
  let mine = known.get(principal);
  if (!mine) {
    mine = new Map();
    known.set(principal, mine);
  }
  let within = mine.get(permission);
  if (!within) {
    const [first = [], ...others] = principal.grants.map((grants) => areasOf(grants, permission));
    within = others.reduce(intersection, first);
    mine.set(permission, within);
  }
  return within;
}

export const permissionsOf = (principal: Principal): Permission[] =>
  PERMISSIONS.filter((permission) => withinOf(principal, permission).length > 0);

/** Rights to change something: where each of them ends at some tenants, so does the user. */
const CHANGING = ['enqueue', 'operate', 'destroy', 'work'] as const satisfies readonly Permission[];

/** Whose share of what all users share a change takes: see lib/contract/ceilings.ts. */
export function shareHolderOf(principal: Principal): Holder {
  const changing = CHANGING.flatMap((permission) => withinOf(principal, permission));
  const areas = changing.length > 0 ? changing : withinOf(principal, 'view');
  const isBound = areas.length > 0 && areas.every(({ tenants }) => tenants !== null);
  return {
    id: principal.ownerId ?? principal.id,
    name: principal.ownerName ?? principal.name,
    tenants: isBound ? [...new Set(areas.flatMap(({ tenants }) => tenants ?? []))] : [],
    isAdmin: isAdministrator(principal),
    seesAll: isEverywhere(withinOf(principal, 'view')),
  };
}

/** What the record of a change says of who made it. The caller's key ties a resend to its first sending. */
export const actorOf = (input: {
  principal: Principal;
  requestId: string;
  idempotencyKey?: string | null;
  body?: { reason?: string | undefined } | undefined;
}): Actor => ({
  actor: input.principal.name,
  actorId: input.principal.id,
  way: input.principal.way,
  ...(input.principal.ownerId === undefined ? {} : { ownerId: input.principal.ownerId }),
  ...(input.principal.via === null ? {} : { via: input.principal.via }),
  address: input.principal.address,
  ...(input.body?.reason === undefined ? {} : { reason: input.body.reason }),
  requestId: input.idempotencyKey ?? input.requestId,
  holder: shareHolderOf(input.principal),
});

/** May decide about access to everything: every ceiling leaves room for administrators. */
export const isAdministrator = (principal: Principal): boolean => isEverywhere(withinOf(principal, 'access'));
