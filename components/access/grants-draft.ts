/** Grants as typed, and their errors; pure. */

import { type Filled, fillIn } from '@/lib/browser/dialog-link';
import { grantSchema } from '@/lib/contract/access/grant-schemas';
import {
  GRANTS_MAX,
  type Grant,
  PERMISSIONS,
  type Permission,
  ROLE_NAMES,
  type Role,
  scopeCovers,
  scopeOfPermission,
} from '@/lib/contract/access/grant-scopes';

export interface GrantRow {
  /** Stable while other rows are added and removed. */
  readonly key: number;
  readonly role: Role;
  /** Names or prefixes, separated by commas or spaces. Empty: every queue. */
  readonly queues: string;
  /** Empty: all tenants. */
  readonly tenants: string;
}

export interface RowProblems {
  queues?: string;
  tenants?: string;
}

export type GrantsRead =
  | { ok: true; grants: Grant[] }
  | { ok: false; problems: ReadonlyMap<number, RowProblems>; sentence: string | null };

let made = 0;
const nextKey = (): number => {
  made += 1;
  return made;
};

export const newGrantRow = (role: Role): GrantRow => ({ key: nextKey(), role, queues: '', tenants: '' });

export const toGrantRows = (grants: readonly Grant[]): GrantRow[] =>
  grants.map(({ role, queues, tenants }) => ({
    key: nextKey(),
    role,
    queues: queues.length === 1 && queues[0] === '*' ? '' : queues.join(', '),
    tenants: tenants === null ? '' : tenants.join(', '),
  }));

/** Rows for a link, and back: null where a link has none that can be read. */
export const toFilledGrants = (rows: readonly GrantRow[]) => rows.map(({ key: _, ...row }) => row);

export function filledGrantRows(filled: Filled, roles: readonly Role[] = ROLE_NAMES): GrantRow[] | null {
  const given: unknown = filled.grants;
  if (!Array.isArray(given) || given.length > GRANTS_MAX) return null;
  const rows = given.map((one: unknown) => {
    const { role, ...names } = fillIn({ role: '', queues: '', tenants: '' }, Object(one) as Filled);
    const known = roles.find((name) => name === role);
    return known ? { key: nextKey(), role: known, ...names } : null;
  });
  return rows.includes(null) ? null : (rows as GrantRow[]);
}

const namesIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))];

export function readGrants(rows: readonly GrantRow[]): GrantsRead {
  const problems = new Map<number, RowProblems>();
  const grants: Grant[] = [];
  for (const { key, role, queues, tenants } of rows) {
    const [inQueues, ofTenants] = [namesIn(queues), namesIn(tenants)];
    const read = grantSchema.safeParse({
      role,
      queues: inQueues.length > 0 ? inQueues : ['*'],
      tenants: ofTenants.length > 0 ? ofTenants : null,
    });
    if (read.success) {
      grants.push(read.data);
      continue;
    }
    const problem: RowProblems = {};
    for (const { path, message } of read.error.issues) {
      const [field, at] = path;
      if (field !== 'queues' && field !== 'tenants') continue;
      const name = typeof at === 'number' ? (field === 'queues' ? inQueues : ofTenants)[at] : undefined;
      problem[field] ??= name === undefined ? message : `"${name}" ${message}`;
    }
    problems.set(key, problem);
  }
  if (problems.size > 0) return { ok: false, problems, sentence: null };
  if (rows.length > GRANTS_MAX)
    return { ok: false, problems, sentence: `At most ${GRANTS_MAX} roles: join some with a prefix.` };
  return { ok: true, grants };
}

/** The first permission in `grants` that exceeds `mine`. A token never has the permission `access`. */
export const firstMissingPermission = (mine: readonly Grant[], grants: readonly Grant[]): Permission | null =>
  PERMISSIONS.filter((permission) => permission !== 'access').find(
    (permission) => !scopeCovers(scopeOfPermission(mine, permission), scopeOfPermission(grants, permission)),
  ) ?? null;
