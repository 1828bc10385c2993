/** The identity behind a request, and where it holds which permission. Resolved for each request: see resolve-principal.ts. */
import type { Actor } from '@/lib/broker';
import type { SignInMethod } from '@/lib/contract/access/access-limits';
import {
  type AccessScope,
  type Grant,
  intersectScopes,
  isFullScope,
  PERMISSIONS,
  type Permission,
  scopeOfPermission,
} from '@/lib/contract/access/grant-scopes';
import type { QuotaOwner } from '@/lib/contract/access/quotas';

export interface Principal {
  /** Stable, for records: `local:<id>`, `oidc:<provider>:<subject>`, `link`, `none`, `token:<id>`. */
  readonly id: string;
  readonly name: string;
  /** AUTH=none: whether the user chose the name. */
  readonly chosen: boolean;
  readonly method: SignInMethod;
  /** Of a token: its user. */
  readonly ownerId?: string;
  readonly ownerName?: string;
  /** A permission must be in each set: a user has one, a token its own and its owner's present one. */
  readonly grants: readonly (readonly Grant[])[];
  /** The id of the session or token, which opens nothing. Null: AUTH=none. */
  readonly via: string | null;
  /** Where the request came from. */
  readonly address: string;
  /** Until when destructive actions need no re-authentication, in ms since 1970; null: never needed. */
  readonly reauthenticatedUntil: number | null;
  /** When the session expires; null: no session. */
  readonly expiresAt: number | null;
}

/** A request counts against the limits of this user, with all their tokens. Null: AUTH=none, where all requests have one id. */
export const quotaOwnerId = (principal: Principal): string | null =>
  principal.method === 'none' ? null : (principal.ownerId ?? principal.id);

/** Computed once a principal: a request may check each of a thousand jobs. */
const known = new WeakMap<Principal, Map<Permission, AccessScope>>();

/** Where the principal holds this permission; empty: nowhere. */
export function scopeOf(principal: Principal, permission: Permission): AccessScope {
  // A leaked token must not be able to create more tokens.
  if (principal.method === 'token' && permission === 'access') return [];
  let mine = known.get(principal);
  if (!mine) {
    mine = new Map();
    known.set(principal, mine);
  }
  let within = mine.get(permission);
  if (!within) {
    const [first = [], ...others] = principal.grants.map((grants) => scopeOfPermission(grants, permission));
    within = others.reduce(intersectScopes, first);
    mine.set(permission, within);
  }
  return within;
}

export const permissionsOf = (principal: Principal): Permission[] =>
  PERMISSIONS.filter((permission) => scopeOf(principal, permission).length > 0);

/** Permissions to change something: a user is bound to tenants where all of these are. */
const CHANGING = ['enqueue', 'operate', 'destroy', 'work'] as const satisfies readonly Permission[];

/** The owner of the quota that a change uses: see lib/contract/access/quotas.ts. */
export function quotaOwner(principal: Principal): QuotaOwner {
  const changing = CHANGING.flatMap((permission) => scopeOf(principal, permission));
  const areas = changing.length > 0 ? changing : scopeOf(principal, 'view');
  const isBound = areas.length > 0 && areas.every(({ tenants }) => tenants !== null);
  return {
    id: principal.ownerId ?? principal.id,
    name: principal.ownerName ?? principal.name,
    tenants: isBound ? [...new Set(areas.flatMap(({ tenants }) => tenants ?? []))] : [],
    isAdmin: isAdministrator(principal),
    seesAll: isFullScope(scopeOf(principal, 'view')),
  };
}

/** The author of a change, for its audit event. The idempotency key ties a resent request to the first one. */
export const actorOf = (input: {
  principal: Principal;
  requestId: string;
  idempotencyKey?: string | null;
  body?: { reason?: string | undefined } | undefined;
}): Actor => ({
  actor: input.principal.name,
  actorId: input.principal.id,
  method: input.principal.method,
  ...(input.principal.ownerId === undefined ? {} : { ownerId: input.principal.ownerId }),
  ...(input.principal.via === null ? {} : { via: input.principal.via }),
  address: input.principal.address,
  ...(input.body?.reason === undefined ? {} : { reason: input.body.reason }),
  requestId: input.idempotencyKey ?? input.requestId,
  quotaOwner: quotaOwner(input.principal),
});

/** Every limit leaves a reserve for administrators. */
export const isAdministrator = (principal: Principal): boolean => isFullScope(scopeOf(principal, 'access'));

/** A request without sign-in: it holds no permission, so every method refuses. */
export const ANONYMOUS: Principal = {
  id: 'anonymous',
  name: 'anonymous',
  chosen: false,
  method: 'none',
  grants: [],
  via: null,
  address: 'unknown',
  reauthenticatedUntil: null,
  expiresAt: null,
};
