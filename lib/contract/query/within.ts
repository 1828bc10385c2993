/** Where somebody may look, as a condition like any other. Nobody typed it: the limits of a query do not count it. */
import { isEverywhere, type Within } from '../permissions';
import type { Filter } from './filter';
import { normalise } from './normal';
import { withTerm } from './terms';

/** True of the jobs within. Everywhere: true of all; nowhere: of none. */
export function withinFilter(within: Within): Filter {
  if (isEverywhere(within)) return { kind: 'all' };
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

/** What fits the filter and lies within. Left out: what fits. */
export const narrowedTo = (filter: Filter, within: Within | undefined): Filter =>
  within === undefined || isEverywhere(within) ? filter : withTerm(filter, withinFilter(within));

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
