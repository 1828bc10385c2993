/** What operations do to jobs, and why they skip some, in sentences: for the pages that are about one. Pure. */
import type { OperationKind, SkipReason } from './operation-kinds';

/** What happens to each job, in a sentence or two. */
export const KIND_EFFECTS: Readonly<Record<OperationKind, string>> = {
  redrive:
    'Each becomes ready again with its attempts reset. It keeps its history, with who re-drove it and why.',
  move: 'Each leaves its queue and becomes ready in the other one, with its attempts reset.',
  edit: 'Each payload is changed as the preview shows; the job then becomes ready again with its attempts reset.',
  suppress: 'Each is set aside and no longer counts as dead. This can be undone.',
  unsuppress: 'Each becomes a dead letter again and keeps its time of death.',
  purge:
    'Each moves to the trash. It can be restored until the retention of the trash ends (1 h by default); then it is deleted permanently.',
  restore: 'Each moves from the trash back to the dead letters and keeps its time of death.',
  recall: 'Each job that still waits goes back to where it was. Running and finished jobs stay as they are.',
  delete: 'Each is deleted with its payload and history. This cannot be undone.',
  cancel:
    'Each becomes a dead letter of class cancelled, which can be re-driven. A worker that runs one loses its claim; effects of its handler stay.',
  promote: 'Each becomes ready now instead of at its due time.',
  reschedule: 'Each becomes due at the new time instead of its own.',
  export: 'Nothing is changed. The matches are written to a file that you download.',
  'delete-queue':
    'The queue is deleted with all its jobs, history, settings and pauses. This cannot be undone. A job enqueued later creates a new, empty queue.',
};

/** Why jobs were, or would be, skipped: after a number. */
export const SKIP_LABELS: Readonly<Record<SkipReason, string>> = {
  changed: 'changed since: in another state, or died again',
  'deadline-passed': 'past their deadline, so running them is useless',
  'not-unique': 'another job has the same uniqueness key',
  unreadable: 'their stored row cannot be read',
  'in-flight': 'in flight',
  'not-safe': 'a re-drive does not help for this error class',
  'no-idempotency-key':
    'may have taken effect already and have no idempotency key to prevent a second effect',
  'patch-failed': 'the patch does not fit the payload',
  'invalid-payload': 'the changed payload is invalid for the handler',
  'id-taken': 'the target queue has a job with this id',
  'payload-too-large': 'the changed payload is too large',
};
/** Reasons that "include unsafe ones" lifts. */
export const UNSAFE_SKIPS: readonly SkipReason[] = ['not-safe', 'no-idempotency-key'];
