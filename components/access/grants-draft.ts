/** Grants while they are being typed, and what is wrong with them; pure. */
import {
  areasOf,
  covers,
  GRANTS_MAX,
  type Grant,
  grantSchema,
  PERMISSIONS,
  type Permission,
  type Role,
} from '@/lib/contract/permissions';

export interface GrantRow {
  /** Tells rows apart while others come and go. */
  readonly key: number;
  readonly role: Role;
  /** Names or beginnings, with commas or spaces between. Empty: every queue. */
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

export const newRow = (role: Role): GrantRow => ({ key: nextKey(), role, queues: '', tenants: '' });

export const rowsOf = (grants: readonly Grant[]): GrantRow[] =>
  grants.map(({ role, queues, tenants }) => ({
    key: nextKey(),
    role,
    queues: queues.length === 1 && queues[0] === '*' ? '' : queues.join(', '),
    tenants: tenants === null ? '' : tenants.join(', '),
  }));

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

/** The first permission that these grants give where `mine` do not. Access itself never goes with a token. */
export const beyond = (mine: readonly Grant[], grants: readonly Grant[]): Permission | null =>
  PERMISSIONS.filter((permission) => permission !== 'access').find(
    (permission) => !covers(areasOf(mine, permission), areasOf(grants, permission)),
  ) ?? null;
