/** The permission that each action needs, for the server's checks and for the buttons. */
import type { JobAction } from '../jobs/job-actions';
import { DESTRUCTIVE, type OperationKind } from '../operations/operation-kinds';
import type { Permission } from './grant-scopes';

const ENDS_JOBS: ReadonlySet<JobAction> = new Set(['purge', 'remove', 'cancel']);

/** For an action on one job: POST …/jobs/:id/:action. */
export const jobActionPermission = (action: JobAction): Permission =>
  ENDS_JOBS.has(action) ? 'destroy' : 'operate';

/** To start, resume and approve an operation. Stopping one needs `operate` only. */
export const operationPermission = (kind: OperationKind): Permission =>
  // An edit replaces payloads irreversibly: an undo restores the jobs, not their old payloads.
  DESTRUCTIVE.has(kind) || kind === 'edit' ? 'destroy' : 'operate';
