/** Kinds of bulk operations: what each works on, how careful one must be with it, and what undoes it. */
import { z } from 'zod';
import type { JobState } from './states';

export const OPERATION_KINDS = [
  'redrive',
  'move',
  'edit',
  'suppress',
  'unsuppress',
  'purge',
  'restore',
  'recall',
  'delete',
  'cancel',
  'promote',
  'reschedule',
  'export',
  'delete-queue',
] as const;
export const operationKindSchema = z.enum(OPERATION_KINDS);
export type OperationKind = z.infer<typeof operationKindSchema>;

/** Which states each kind works on. Shown and enforced from this one table. */
export const KIND_STATES: Readonly<Record<OperationKind, readonly JobState[]>> = {
  /** Back to ready. */
  redrive: ['dead', 'suppressed'],
  /** Re-drive to another queue. */
  move: ['dead', 'suppressed'],
  /** Edit the payload and re-drive. */
  edit: ['dead', 'suppressed'],
  suppress: ['dead'],
  /** Back to dead. */
  unsuppress: ['suppressed'],
  /** To the trash. */
  purge: ['dead', 'suppressed'],
  /** From the trash back to dead. */
  restore: ['trashed'],
  /** Takes re-driven jobs that still wait back to dead. */
  recall: ['ready', 'held', 'retry'],
  /** For good. */
  delete: ['ready', 'held', 'scheduled', 'retry', 'completed', 'dead', 'suppressed', 'trashed'],
  cancel: ['ready', 'held', 'scheduled', 'retry', 'in-flight'],
  promote: ['scheduled', 'retry'],
  reschedule: ['scheduled', 'retry', 'ready'],
  /** Moves nothing: writes what matches to a file. */
  export: ['ready', 'in-flight', 'scheduled', 'retry', 'held', 'completed', 'dead', 'suppressed', 'trashed'],
  /** The queue as a whole, in one go: what state its jobs are in makes no difference. */
  'delete-queue': [],
};
/** Kinds after which re-driven jobs run again: they have an outcome, a canary and an automatic stop. */
export const RERUNS: ReadonlySet<OperationKind> = new Set(['redrive', 'move', 'edit']);
/** Kinds that take jobs away: they need the permission `destroy`, and the count typed sooner. */
export const DESTRUCTIVE: ReadonlySet<OperationKind> = new Set(['purge', 'delete', 'cancel', 'delete-queue']);
/** What undoes a kind: another operation on what this one moved. */
export const UNDONE_BY: Partial<Readonly<Record<OperationKind, OperationKind>>> = {
  purge: 'restore',
  suppress: 'unsuppress',
  redrive: 'recall',
  edit: 'recall',
};

export const OPERATION_STATUSES = [
  'awaiting-approval',
  'running',
  'paused',
  'completed',
  'cancelled',
  'rejected',
  'failed',
] as const;
export const operationStatusSchema = z.enum(OPERATION_STATUSES);
export type OperationStatus = z.infer<typeof operationStatusSchema>;
/** Not yet ended. */
export const isOpen = (status: OperationStatus): boolean =>
  status === 'awaiting-approval' || status === 'running' || status === 'paused';

export const SELECTION_MAX_JOBS = 500;
/** Above this many the count must be typed to confirm … */
export const TYPED_ABOVE = 1_000;
/** … and above this many where jobs are taken away. */
export const TYPED_ABOVE_DESTRUCTIVE = 100;
export const needsTypedCount = (kind: OperationKind, count: number): boolean =>
  kind !== 'export' &&
  kind !== 'delete-queue' &&
  count > (DESTRUCTIVE.has(kind) ? TYPED_ABOVE_DESTRUCTIVE : TYPED_ABOVE);

/** What the class of a failure says about putting the job back. */
export const CLASS_SAFETY = {
  retryable: {
    safety: 'maybe',
    sentence: 'An outage: safe once the other side is well again. Start with a canary.',
    include: true,
  },
  'rate-limited': {
    safety: 'maybe',
    sentence: 'The other side asked to slow down: re-drive slowly.',
    include: true,
  },
  permanent: {
    safety: 'after-fix',
    sentence: 'Safe once the fixed handler is deployed; before that they die again.',
    include: true,
  },
  'unsupported-version': {
    safety: 'after-fix',
    sentence: 'Safe once a worker that knows this type and version runs.',
    include: true,
  },
  malformed: {
    safety: 'not-safe',
    sentence: 'Bad input: the same payload fails again. Edit it, or leave it.',
    include: false,
  },
  deadline: {
    safety: 'not-useful',
    sentence: 'Its deadline has passed; running it now is of no use.',
    include: false,
  },
  crash: {
    safety: 'careful',
    sentence: 'It was in flight when its workers died and may kill them again: canary of one, few at a time.',
    include: true,
  },
  cancelled: { safety: 'maybe', sentence: 'A person cancelled it; see why before it runs.', include: true },
} as const satisfies Record<string, { safety: string; sentence: string; include: boolean }>;
