/** Operations for the routes: who may do what, and that what is named exists. */
import {
  DESTRUCTIVE,
  type Operation,
  type OperationAction,
  type OperationKind,
  type PreviewRequest,
} from '@/lib/contract/operations';
import { getBroker } from './broker';
import { getBulkRunner } from './bulk-runner';
import { requireQueue } from './params';
import { requirePermission, type Session } from './session';

/** @throws RedriveError FORBIDDEN */
export const requireForKind = (session: Session, kind: OperationKind): void =>
  requirePermission(session, DESTRUCTIVE.has(kind) ? 'destroy' : 'operate');

/** What a preview is of, who may confirm it. @throws RedriveError FORBIDDEN | PREVIEW_STALE */
export async function requireForPreview(session: Session, token: string): Promise<void> {
  // Whoever may do everything need not be asked what it is.
  if (session.permissions.has('destroy')) return;
  requireForKind(session, await getBroker().operations.kindOf(token));
}

/** To stop is never more than to operate; to let it go on is to do what it does. */
const GOES_ON: ReadonlySet<OperationAction> = new Set(['resume', 'approve']);

/** @throws RedriveError OPERATION_NOT_FOUND | FORBIDDEN */
export async function requireForAction(session: Session, id: string, action: OperationAction): Promise<void> {
  if (!GOES_ON.has(action) || session.permissions.has('destroy')) return;
  requireForKind(session, (await getBroker().operations.get(id)).kind);
}

/**
 * A queue that is named by itself must exist: a slip of the pen would move jobs to where nobody works. One that the query names
 * need not: nothing matches.
 * @throws RedriveError QUEUE_NOT_FOUND
 */
export async function requireQueuesOf({ scope, target }: PreviewRequest): Promise<void> {
  const named = [scope.queue, target, ...(scope.jobs ?? []).map((job) => job.queue)];
  for (const queue of new Set(named)) if (queue !== undefined) await requireQueue(queue);
}

/** Has it worked off at once, or looked at again after a change. An export waits for whoever fetches its file. */
export function setGoing(operation: Operation): Operation {
  if (operation.status === 'running' && operation.kind !== 'export') getBulkRunner().run(operation.id);
  return operation;
}
