/** What of operations somebody may see, and do. Pure. */
import { kindPermission } from '@/lib/contract/action-permissions';
import { RedriveError } from '@/lib/contract/errors';
import { areasOfScope, visibleTo } from '@/lib/contract/operation-areas';
import type { Operation, OperationAction, OperationKind } from '@/lib/contract/operations';
import { covers, fitsPattern, intersection, type Permission, type Within } from '@/lib/contract/permissions';
import { need, needQueue, needSomeOf } from '../access/need';
import { type Principal, withinOf } from '../access/principal';
import { noSuchOperation } from '../missing';

type Seen = Pick<Operation, 'scope' | 'target'>;

/** Its numbers are of all it works on: so it is seen by those who see all of that, and where it moves it to. */
export const seesOperation = (within: Within, seen: Seen): boolean => visibleTo(seen, within);

/** To stop is never more than to operate; to let it go on is to do what it does. */
const GOES_ON: ReadonlySet<OperationAction> = new Set(['resume', 'approve']);

export const actPermission = (kind: OperationKind, action: OperationAction): Permission =>
  GOES_ON.has(action) ? kindPermission(kind) : 'operate';

/** @throws RedriveError OPERATION_NOT_FOUND | FORBIDDEN | PROOF_NEEDED */
export function needOperation(
  principal: Principal,
  permission: Permission,
  operation: Seen & { id: string },
): void {
  if (!seesOperation(withinOf(principal, 'view'), operation)) throw noSuchOperation(operation.id);
  needAll(principal, permission, operation);
}

/** All it works on. @throws RedriveError FORBIDDEN | PROOF_NEEDED */
export function needAll(principal: Principal, permission: Permission, { scope, target }: Seen): void {
  need(principal, permission);
  if (!covers(withinOf(principal, permission), areasOfScope(scope)))
    throw new RedriveError(
      'FORBIDDEN',
      `This needs the permission "${permission}" for all that the operation works on, which ${principal.name} does not have. Nothing was changed.`,
      { fields: [{ field: 'permission', message: `${permission} is missing` }] },
    );
  if (target !== null) needSomeOf(principal, 'enqueue', target);
}

/**
 * What of this may be moved to another queue: jobs of tenants that one may enter there.
 * @throws RedriveError QUEUE_NOT_FOUND | FORBIDDEN
 */
export function mayArrive(principal: Principal, within: Within, target: string): Within {
  needSomeOf(principal, 'enqueue', target);
  const tenants: string[] = [];
  for (const area of withinOf(principal, 'enqueue')) {
    if (!fitsPattern(area.queue, target)) continue;
    if (area.tenants === null) return within;
    tenants.push(...area.tenants);
  }
  const some = intersection(within, [{ queue: '*', tenants }]);
  if (some.length === 0) needQueue(principal, 'enqueue', target);
  return some;
}
