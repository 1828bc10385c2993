/**
 * Who may do what, where. A person or token holds grants: a role, over queues by exact name or by prefix, over all tenants or
 * some. This file is the only place that decides whether grants suffice; lib/server/guarded asks it for every item.
 */
import { z } from 'zod';
import { NAME_PATTERN, tenantIdSchema } from './names';

export const PERMISSIONS = [
  'view',
  'unmask',
  'enqueue',
  'operate',
  'destroy',
  'work',
  'lab',
  'audit',
  'access',
] as const;
export type Permission = (typeof PERMISSIONS)[number];
export const PERMISSION_HINTS: Readonly<Record<Permission, string>> = {
  view: 'see queues, jobs (payloads redacted), operations, workers and schedules',
  unmask: 'see what redaction rules hide, one job at a time, on record',
  enqueue: 'put new jobs into queues, and run schedules by hand',
  operate: 'pause, resume, re-drive, change settings, run operations that delete and overwrite nothing',
  destroy: 'purge, delete, cancel and edit',
  work: 'claim jobs over HTTP and end them',
  lab: 'set off crashes and failures of the demo worker',
  audit: 'read and export the audit log',
  access: 'see and change who may do what, and end sessions and tokens of others',
};

export const ROLES = {
  viewer: ['view'],
  operator: ['view', 'unmask', 'enqueue', 'operate', 'destroy', 'lab'],
  admin: PERMISSIONS,
  /** For programs. */
  producer: ['enqueue'],
  worker: ['work'],
} as const satisfies Record<string, readonly Permission[]>;
export type Role = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]];

/** An exact queue name, or a prefix that ends in `*`; `*` alone is every queue. Never a regular expression or a glob. */
export const queuePatternSchema = z
  .string()
  .refine(
    (text) => text === '*' || NAME_PATTERN.test(text.endsWith('*') ? text.slice(0, -1) : text),
    'must be a queue name, or the beginning of one followed by *',
  );

export const grantSchema = z.strictObject({
  role: z.enum(ROLE_NAMES),
  queues: z.array(queuePatternSchema).min(1).max(50).default(['*']),
  /** Null: all tenants. */
  tenants: z.array(tenantIdSchema).min(1).max(50).nullable().default(null),
});
export type Grant = z.infer<typeof grantSchema>;
export const GRANTS_MAX = 20;
export const grantsSchema = z.array(grantSchema).max(GRANTS_MAX, `at most ${GRANTS_MAX} grants`);
export const EVERYTHING: readonly Grant[] = [{ role: 'admin', queues: ['*'], tenants: null }];

/** Where a permission holds: jobs of queues that fit the pattern, of any tenant (null) or of some. */
export const areaSchema = z.strictObject({
  queue: queuePatternSchema,
  tenants: z.array(tenantIdSchema).min(1).nullable(),
});
export type Area = z.infer<typeof areaSchema>;
/** A job is within when one of the areas has it. None: nowhere. */
export type Within = readonly Area[];
export const withinSchema = z.array(areaSchema).max(GRANTS_MAX * 50);
export const EVERYWHERE: Within = [{ queue: '*', tenants: null }];

export const fitsPattern = (pattern: string, queue: string): boolean =>
  pattern.endsWith('*') ? queue.startsWith(pattern.slice(0, -1)) : pattern === queue;

/** Whether every queue that fits `inner` also fits `outer`. */
export const patternCovers = (outer: string, inner: string): boolean =>
  outer.endsWith('*') ? inner.startsWith(outer.slice(0, -1)) : outer === inner;

const areaCovers = (outer: Area, inner: Area): boolean =>
  patternCovers(outer.queue, inner.queue) &&
  (outer.tenants === null || inner.tenants?.every((tenant) => outer.tenants?.includes(tenant)) === true);

/** Without areas that others hold. */
function tidy(areas: readonly Area[]): Within {
  const kept: Area[] = [];
  for (const area of areas) {
    if (kept.some((other) => areaCovers(other, area))) continue;
    for (let i = kept.length - 1; i >= 0; i -= 1) {
      const other = kept[i];
      if (other && areaCovers(area, other)) kept.splice(i, 1);
    }
    kept.push(area);
  }
  return kept;
}

/** Where these grants give a permission. */
export const areasOf = (grants: readonly Grant[], permission: Permission): Within =>
  tidy(
    grants
      .filter(({ role }) => (ROLES[role] as readonly Permission[]).includes(permission))
      .flatMap(({ queues, tenants }) => queues.map((queue) => ({ queue, tenants }))),
  );

/** What lies in both. */
export function intersection(one: Within, other: Within): Within {
  const both: Area[] = [];
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
  return tidy(both);
}

/** Everything there is: no filter is needed. */
export const isEverywhere = (within: Within): boolean =>
  within.some(({ queue, tenants }) => queue === '*' && tenants === null);

/** The queue as a whole: all its jobs, its counts and its settings. */
export const hasQueue = (within: Within, queue: string): boolean =>
  within.some((area) => area.tenants === null && fitsPattern(area.queue, queue));

/** At least some tenant's jobs of it. */
export const reachesQueue = (within: Within, queue: string): boolean =>
  within.some((area) => fitsPattern(area.queue, queue));

export const hasJob = (within: Within, queue: string, tenant: string): boolean =>
  within.some(
    (area) => fitsPattern(area.queue, queue) && (area.tenants === null || area.tenants.includes(tenant)),
  );

/** Whether all of `inner` lies in `outer`, area by area. Areas that only together hold one of `inner` are not seen to: asking for more than one has is refused, never the other way round. */
export const covers = (outer: Within, inner: Within): boolean =>
  inner.every((area) => outer.some((other) => areaCovers(other, area)));
