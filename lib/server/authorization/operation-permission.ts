/** Which operations a principal may see, and do. Pure. */
import { operationPermission } from '@/lib/contract/access/action-permissions';
import {
  type AccessScope,
  intersectScopes,
  matchesQueuePattern,
  type Permission,
  scopeCovers,
} from '@/lib/contract/access/grant-scopes';
import { noSuchOperation } from '@/lib/contract/not-found-errors';
import type { Operation } from '@/lib/contract/operations/operation';
import { isOperationVisible, operationAccessScope } from '@/lib/contract/operations/operation-access-scope';
import type { OperationAction, OperationKind } from '@/lib/contract/operations/operation-kinds';
import { type Principal, scopeOf } from '../authentication/principal';
import {
  permissionRefusal,
  requirePartOfQueue,
  requirePermission,
  requireWholeQueue,
} from './require-permission';

type Seen = Pick<Operation, 'scope' | 'target'>;

/** Stopping needs `operate` only; resuming needs the permission of the operation itself. */
const GOES_ON: ReadonlySet<OperationAction> = new Set(['resume', 'approve']);

export const operationActionPermission = (kind: OperationKind, action: OperationAction): Permission =>
  GOES_ON.has(action) ? operationPermission(kind) : 'operate';

/** @throws RedriveError OPERATION_NOT_FOUND | FORBIDDEN | REAUTHENTICATION_REQUIRED */
export function requireOperation(
  principal: Principal,
  permission: Permission,
  operation: Seen & { id: string },
): void {
  if (!isOperationVisible(operation, scopeOf(principal, 'view'))) throw noSuchOperation(operation.id);
  requireWholeScope(principal, permission, operation);
}

/** For all jobs of the operation. @throws RedriveError FORBIDDEN | REAUTHENTICATION_REQUIRED */
export function requireWholeScope(
  principal: Principal,
  permission: Permission,
  { scope, target }: Seen,
): void {
  requirePermission(principal, permission);
  if (!scopeCovers(scopeOf(principal, permission), operationAccessScope(scope)))
    throw permissionRefusal(principal, permission, ' for all jobs of the operation');
  if (target !== null) requirePartOfQueue(principal, 'enqueue', target);
}

/**
 * The part of a scope that may move to the target: jobs of the tenants that the principal may enqueue there.
 * @throws RedriveError QUEUE_NOT_FOUND | FORBIDDEN
 */
export function movableScope(principal: Principal, within: AccessScope, target: string): AccessScope {
  requirePartOfQueue(principal, 'enqueue', target);
  const tenants: string[] = [];
  for (const area of scopeOf(principal, 'enqueue')) {
    if (!matchesQueuePattern(area.queue, target)) continue;
    if (area.tenants === null) return within;
    tenants.push(...area.tenants);
  }
  const some = intersectScopes(within, [{ queue: '*', tenants }]);
  if (some.length === 0) requireWholeQueue(principal, 'enqueue', target);
  return some;
}
