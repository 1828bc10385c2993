/** Kinds of bulk operations: what each works on, how careful one must be with it, and what undoes it. */
import type { JobState } from '../jobs/job-states';

/**
 * `reruns`: its jobs run again, so it has an outcome, a canary and an automatic stop. `makes-ready`: its jobs are ready at once.
 * `destructive`: it takes jobs away. `deletes-data`: where a queue asks for approval, a second user must approve it.
 */
type KindTrait = 'reruns' | 'makes-ready' | 'destructive' | 'deletes-data';
interface KindRules {
  /** The states it works on. */
  readonly states: readonly JobState[];
  readonly traits: readonly KindTrait[];
  /** The kind that undoes it, on the jobs that this one moved; null: none does. */
  readonly undoneBy: string | null;
}

const FAILED = ['dead', 'suppressed'] as const satisfies readonly JobState[];
const SETTLED = ['completed', 'dead', 'suppressed', 'trashed'] as const satisfies readonly JobState[];

/** Every kind of operation, and the rules that screens and broker follow for it. */
export const KIND_RULES = {
  /** Back to ready. */
  redrive: { states: FAILED, traits: ['reruns', 'makes-ready'], undoneBy: 'recall' },
  /** Re-drive to another queue. */
  move: { states: FAILED, traits: ['reruns', 'makes-ready'], undoneBy: null },
  /** Edit the payload and re-drive. */
  edit: { states: FAILED, traits: ['reruns', 'makes-ready', 'deletes-data'], undoneBy: 'recall' },
  suppress: { states: ['dead'], traits: [], undoneBy: 'unsuppress' },
  /** Back to dead. */
  unsuppress: { states: ['suppressed'], traits: [], undoneBy: null },
  /** To the trash. */
  purge: { states: FAILED, traits: ['destructive', 'deletes-data'], undoneBy: 'restore' },
  /** From the trash back to dead. */
  restore: { states: ['trashed'], traits: [], undoneBy: null },
  /** Re-driven jobs that still wait go back to dead. */
  recall: { states: ['ready', 'held', 'retry'], traits: [], undoneBy: null },
  delete: {
    states: ['ready', 'held', 'scheduled', 'retry', ...SETTLED],
    traits: ['destructive', 'deletes-data'],
    undoneBy: null,
  },
  cancel: {
    states: ['ready', 'held', 'scheduled', 'retry', 'in-flight'],
    traits: ['destructive'],
    undoneBy: null,
  },
  promote: { states: ['scheduled', 'retry'], traits: ['makes-ready'], undoneBy: null },
  reschedule: { states: ['scheduled', 'retry', 'ready'], traits: [], undoneBy: null },
  /** Writes the matches to a file. */
  export: {
    states: ['ready', 'in-flight', 'scheduled', 'retry', 'held', ...SETTLED],
    traits: [],
    undoneBy: null,
  },
  /** The queue as a whole, whatever state its jobs are in. */
  'delete-queue': { states: [], traits: ['destructive', 'deletes-data'], undoneBy: null },
} as const satisfies Record<string, KindRules>;
export type OperationKind = keyof typeof KIND_RULES;
export const OPERATION_KINDS = Object.keys(KIND_RULES) as OperationKind[];

const kindsThat = (trait: KindTrait): ReadonlySet<OperationKind> =>
  new Set(OPERATION_KINDS.filter((kind) => KIND_RULES[kind].traits.some((own) => own === trait)));
export const RERUNS = kindsThat('reruns');
export const MAKES_READY = kindsThat('makes-ready');
export const DESTRUCTIVE = kindsThat('destructive');
export const DELETES_DATA = kindsThat('deletes-data');
export const KIND_STATES = Object.fromEntries(
  OPERATION_KINDS.map((kind): [OperationKind, readonly JobState[]] => [kind, KIND_RULES[kind].states]),
) as Readonly<Record<OperationKind, readonly JobState[]>>;

export const OPERATION_STATUSES = [
  'awaiting-approval',
  'running',
  'paused',
  'completed',
  'cancelled',
  'rejected',
  'failed',
] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];
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

export const OPERATION_ACTIONS = ['pause', 'resume', 'cancel', 'approve', 'reject'] as const;
export type OperationAction = (typeof OPERATION_ACTIONS)[number];
export const OPERATION_OUTCOMES = [
  'completed',
  'running',
  'waiting',
  'died-again',
  'skipped',
  'undoable',
] as const;
/** Of the operations that undo one, the latest are listed. */
export const UNDOS_KEPT = 20;
/** The first one and the latest others. */
export const OPERATION_EVENTS_KEPT = 50;
/** Marks of its progress that an operation keeps. */
export const OPERATION_MARKS_KEPT = 11;

/** Why a job that matched is, or will be, left alone. */
export const SKIP_REASONS = [
  /** No longer in the state it was previewed in, or it died again since. */
  'changed',
  'deadline-passed',
  'not-unique',
  'unreadable',
  'in-flight',
  /** Its class says a re-drive does not help: bad input, expired. */
  'not-safe',
  /** It may have had an effect, and there is no idempotency key to keep the next run from having it again. */
  'no-idempotency-key',
  /** edit: the patch does not fit this payload, or the result is no payload its handler takes. */
  'patch-failed',
  'invalid-payload',
  /** move: the other queue has a job of that id. */
  'id-taken',
  'payload-too-large',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];
export const PATCH_MAX_STEPS = 20;
/** Of exports and of the audit log. `excel`: CSV with a byte order mark, without which Excel takes `ü` for `Ã¼`. */
export const EXPORT_FORMATS = ['ndjson', 'csv', 'excel'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
/** How the name of such a file ends. */
export const exportSuffix = (format: ExportFormat): string => (format === 'excel' ? 'csv' : format);
export const EXPORT_MAX_ROWS = 1_000_000;
/** Redis keeps so many ended operations that no user can undo any more, of each user a fair share. */
export const OPERATIONS_KEPT = 500;
/** An undo without an end of its own (that of the trash) is open for so long after the end of its operation. */
export const UNDO_OPEN_MS = 7 * 86_400_000;
export const PREVIEW_TTL_MS = 15 * 60_000;
export const RATE_MAX_PER_SECOND = 100_000;
