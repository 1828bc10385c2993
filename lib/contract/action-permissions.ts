/** What each action asks for, in one place for the server that refuses and the interface that does not offer. */
import type { JobAction } from './job';
import { DESTRUCTIVE, type OperationKind } from './operations';
import type { Permission } from './permissions';

const ENDS_JOBS: ReadonlySet<JobAction> = new Set(['purge', 'remove', 'cancel']);

/** To one job, as POST …/jobs/:id/:action. */
export const jobActionPermission = (action: JobAction): Permission =>
  ENDS_JOBS.has(action) ? 'destroy' : 'operate';

/** To many, as an operation: to ask for it, to let it go on, and to approve of it. Stopping one is never more than to operate. */
export const kindPermission = (kind: OperationKind): Permission =>
  // An edit replaces payloads for good: an undo brings the jobs back, and not what was in them.
  DESTRUCTIVE.has(kind) || kind === 'edit' ? 'destroy' : 'operate';
