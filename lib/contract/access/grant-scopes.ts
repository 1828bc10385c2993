/**
 * Permissions and their scopes. A user or token holds grants: a role for queues (by exact name or prefix) and for all tenants or some.
 * Only this file decides whether grants suffice; the authorized broker of lib/server asks it for every item.
 */

export const PERMISSIONS = [
  'view',
  'unmask',
  'enqueue',
  'operate',
  'destroy',
  'work',
  'audit',
  'access',
] as const;
export type Permission = (typeof PERMISSIONS)[number];
export const PERMISSION_HINTS: Readonly<Record<Permission, string>> = {
  view: 'see queues, jobs (payloads redacted), operations, schedules, workers, alerts and the checks of Redis',
  unmask: 'see values hidden by redaction rules, one job at a time (each access is logged)',
  enqueue: 'enqueue jobs, and run schedules manually',
  operate:
    'pause, resume and drain queues, re-drive, suppress and move jobs, change settings and schedules, quiet, resume and stop workers, acknowledge and silence alerts, run operations that delete or overwrite nothing, and stop any',
  destroy: 'purge, delete, cancel and edit jobs, delete queues and schedules, shorten retention',
  work: 'claim and finish jobs over HTTP, by API token',
  audit: 'read, check and export the audit log',
  access: 'manage users and their roles, sessions and API tokens, and stop requiring approvals',
};

export const ROLES = {
  viewer: ['view'],
  operator: ['view', 'unmask', 'enqueue', 'operate', 'destroy'],
  admin: PERMISSIONS,
  /** For programs. */
  producer: ['enqueue'],
  worker: ['work'],
} as const satisfies Record<string, readonly Permission[]>;
export type Role = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]];
/** A role for queues (names or prefixes ending in `*`) and for tenants; null: all tenants. */
export interface Grant {
  role: Role;
  queues: string[];
  tenants: string[] | null;
}
export const GRANTS_MAX = 20;
export const ADMIN_GRANTS: readonly Grant[] = [{ role: 'admin', queues: ['*'], tenants: null }];
/** Jobs of the queues of a pattern, of all tenants (null) or of some. */
export interface QueueScope {
  queue: string;
  tenants: string[] | null;
}
/** A job is in scope when one of the areas has it. Empty: no job. */
export type AccessScope = readonly QueueScope[];
export const FULL_SCOPE: AccessScope = [{ queue: '*', tenants: null }];

export const matchesQueuePattern = (pattern: string, queue: string): boolean =>
  pattern.endsWith('*') ? queue.startsWith(pattern.slice(0, -1)) : pattern === queue;

/** Whether every queue that fits `inner` also fits `outer`. */
const patternCovers = (outer: string, inner: string): boolean =>
  outer.endsWith('*') ? inner.startsWith(outer.slice(0, -1)) : outer === inner;

const areaCovers = (outer: QueueScope, inner: QueueScope): boolean =>
  patternCovers(outer.queue, inner.queue) &&
  (outer.tenants === null || inner.tenants?.every((tenant) => outer.tenants?.includes(tenant)) === true);

/** Without areas inside other areas; of equal ones the first stays. */
const withoutCovered = (areas: readonly QueueScope[]): AccessScope =>
  areas.filter(
    (area, i) =>
      !areas.some((other, j) => i !== j && areaCovers(other, area) && (j < i || !areaCovers(area, other))),
  );

/** The scope of a permission under these grants. */
export const scopeOfPermission = (grants: readonly Grant[], permission: Permission): AccessScope =>
  withoutCovered(
    grants
      .filter(({ role }) => (ROLES[role] as readonly Permission[]).includes(permission))
      .flatMap(({ queues, tenants }) => queues.map((queue) => ({ queue, tenants }))),
  );

/** The jobs in both scopes. */
export function intersectScopes(one: AccessScope, other: AccessScope): AccessScope {
  const both: QueueScope[] = [];
  for (const a of one)
    for (const b of other) {
      const queue = patternCovers(a.queue, b.queue)
        ? b.queue
        : patternCovers(b.queue, a.queue)
          ? a.queue
          : null;
      if (queue === null) continue;
      const tenants =
        a.tenants === null
          ? b.tenants
          : b.tenants === null
            ? a.tenants
            : a.tenants.filter((tenant) => b.tenants?.includes(tenant));
      if (tenants === null || tenants.length > 0) both.push({ queue, tenants });
    }
  return withoutCovered(both);
}

/** All jobs: a filter is not needed. */
export const isFullScope = (within: AccessScope): boolean =>
  within.some(({ queue, tenants }) => queue === '*' && tenants === null);

/** The queue as a whole: all its jobs, its counts and its settings. */
export const scopeHasQueue = (within: AccessScope, queue: string): boolean =>
  within.some((area) => area.tenants === null && matchesQueuePattern(area.queue, queue));

/** At least some tenant's jobs of it. */
export const scopeReachesQueue = (within: AccessScope, queue: string): boolean =>
  within.some((area) => matchesQueuePattern(area.queue, queue));

export const scopeHasJob = (within: AccessScope, queue: string, tenant: string): boolean =>
  within.some(
    (area) =>
      matchesQueuePattern(area.queue, queue) && (area.tenants === null || area.tenants.includes(tenant)),
  );

/** Whether each area of `inner` lies in one area of `outer`. Several areas that cover one only together count as no: too strict, never too lax. */
export const scopeCovers = (outer: AccessScope, inner: AccessScope): boolean =>
  inner.every((area) => outer.some((other) => areaCovers(other, area)));
