/** A scope as a condition of the query. It was not typed: the limits of a query do not count it. */
import { type AccessScope, isFullScope } from '@/lib/contract/access/grant-scopes';
import type { Filter } from './filter';
import { withTerm } from './filter-terms';
import { normalise } from './normalise-filter';

/** Matches the jobs in scope. */
export function scopeAsFilter(within: AccessScope): Filter {
  if (isFullScope(within)) return { kind: 'all' };
  // Areas with the same tenants are one condition: what a grant says of its queues is not said once a queue.
  const byTenants = new Map<string, { queues: Filter[]; tenants: Filter }>();
  for (const { queue, tenants } of within) {
    const key = tenants === null ? '*' : [...tenants].sort().join(' ');
    const part = byTenants.get(key) ?? { queues: [], tenants: tenantsFilter(tenants) };
    part.queues.push(queueFilter(queue));
    byTenants.set(key, part);
  }
  return normalise({
    kind: 'or',
    of: [...byTenants.values()].map(({ queues, tenants }) => ({
      kind: 'and',
      of: [{ kind: 'or', of: queues }, tenants],
    })),
  });
}

/** What matches the filter and is in scope. */
export const filterInScope = (filter: Filter, within: AccessScope | undefined): Filter =>
  within === undefined || isFullScope(within) ? filter : withTerm(filter, scopeAsFilter(within));

function queueFilter(pattern: string): Filter {
  if (pattern === '*') return { kind: 'all' };
  const prefix = pattern.endsWith('*');
  return { kind: 'name', field: 'queue', value: prefix ? pattern.slice(0, -1) : pattern, prefix };
}

const tenantsFilter = (tenants: readonly string[] | null): Filter =>
  tenants === null
    ? { kind: 'all' }
    : {
        kind: 'or',
        of: tenants.map((value) => ({ kind: 'name', field: 'tenant', value, prefix: false })),
      };
