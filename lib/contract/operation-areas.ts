/** Where an operation works: what somebody must hold to see it, and to have it go on. Pure. */
import type { Operation, Scope } from './operations';
import { covers, EVERYWHERE, intersection, isEverywhere, reachesQueue, type Within } from './permissions';

/** What it may touch, as far as that is known without reading its query. */
export function areasOfScope({
  within = EVERYWHERE,
  queue,
  jobs,
}: Pick<Scope, 'within' | 'queue' | 'jobs'>): Within {
  const named = queue !== undefined ? [queue] : jobs && [...new Set(jobs.map((job) => job.queue))];
  return named
    ? intersection(
        within,
        named.map((name) => ({ queue: name, tenants: null })),
      )
    : within;
}

/** Its numbers are of all it works on: so it is seen by those who see all of that, and the queue it moves it to. */
export function visibleTo({ scope, target }: Pick<Operation, 'scope' | 'target'>, within: Within): boolean {
  if (isEverywhere(within)) return true;
  const areas = areasOfScope(scope);
  // One that may touch nothing is nobody's in particular.
  if (areas.length === 0 || !covers(within, areas)) return false;
  return target === null || reachesQueue(within, target);
}
