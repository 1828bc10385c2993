/** The access scope of an operation: a principal needs it to see the operation, and to let it go on. Pure. */

import {
  type AccessScope,
  FULL_SCOPE,
  intersectScopes,
  isFullScope,
  scopeCovers,
  scopeReachesQueue,
} from '../access/grant-scopes';
import type { Operation } from './operation';
import type { Scope } from './operation-request';

/** The queues and tenants that it may touch, whatever its query says. */
export function operationAccessScope({
  within = FULL_SCOPE,
  queue,
  jobs,
}: Pick<Scope, 'within' | 'queue' | 'jobs'>): AccessScope {
  const named = queue !== undefined ? [queue] : jobs && [...new Set(jobs.map((job) => job.queue))];
  return named
    ? intersectScopes(
        within,
        named.map((name) => ({ queue: name, tenants: null })),
      )
    : within;
}

/** Its numbers cover all its jobs, so a viewer must see all of its queues and tenants, and its target. */
export function isOperationVisible(
  { scope, target }: Pick<Operation, 'scope' | 'target'>,
  within: AccessScope,
): boolean {
  if (isFullScope(within)) return true;
  const areas = operationAccessScope(scope);
  // An operation without any scope is visible with full access only.
  if (areas.length === 0 || !scopeCovers(within, areas)) return false;
  return target === null || scopeReachesQueue(within, target);
}
