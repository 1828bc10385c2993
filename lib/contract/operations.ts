/** Operations: bulk actions that run in the background on a set frozen at confirmation. */
import { z } from 'zod';
import { jobSummarySchema } from './job';
import { jobIdSchema, queueNameSchema, reasonSchema } from './names';
import { queryTextSchema } from './query/filter';
import { type JobState, jobStateSchema } from './states';

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
};
/** Kinds after which re-driven jobs run again: they have an outcome, a canary and an automatic stop. */
export const RERUNS: ReadonlySet<OperationKind> = new Set(['redrive', 'move', 'edit']);
/** Kinds that take jobs away: they need the permission `destroy`, and the count typed sooner. */
export const DESTRUCTIVE: ReadonlySet<OperationKind> = new Set(['purge', 'delete', 'cancel']);
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
  kind !== 'export' && count > (DESTRUCTIVE.has(kind) ? TYPED_ABOVE_DESTRUCTIVE : TYPED_ABOVE);

const PATCH_VALUE_MAX_DEPTH = 100;
/** Looked at before it is walked level by level; and of a member of that name no parser can be trusted to keep it. */
function canBePut(value: unknown, levels: number = PATCH_VALUE_MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0 || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((part) => canBePut(part, levels - 1));
}
const patchValueSchema = z
  .unknown()
  .refine((value) => canBePut(value), {
    message: `must be at most ${PATCH_VALUE_MAX_DEPTH} levels deep, without a member __proto__`,
  })
  .pipe(z.json());

/** RFC 6902, of it what changes a payload: add, remove, replace, and test (a payload that fails a test is skipped). */
export const patchStepSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('add'), path: z.string().max(500), value: patchValueSchema }),
  z.strictObject({ op: z.literal('replace'), path: z.string().max(500), value: patchValueSchema }),
  z.strictObject({ op: z.literal('remove'), path: z.string().max(500) }),
  z.strictObject({ op: z.literal('test'), path: z.string().max(500), value: patchValueSchema }),
]);
export type PatchStep = z.infer<typeof patchStepSchema>;
export const PATCH_MAX_STEPS = 20;

export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;
export const EXPORT_MAX_ROWS = 1_000_000;

/** Everything in a state that matches a query, or the jobs that were ticked. */
export const scopeSchema = z
  .strictObject({
    state: jobStateSchema.default('dead'),
    q: queryTextSchema.optional(),
    jobs: z
      .array(z.strictObject({ queue: queueNameSchema, jobId: jobIdSchema }))
      .min(1)
      .max(SELECTION_MAX_JOBS)
      .optional(),
    /** Only this queue, whatever the query says: the list the person looked at. */
    queue: queueNameSchema.optional(),
  })
  .refine((scope) => (scope.q === undefined) !== (scope.jobs === undefined), {
    path: ['q'],
    message: 'give either q or jobs',
  });
export type Scope = z.infer<typeof scopeSchema>;

export const RATE_MAX_PER_SECOND = 100_000;
export const paceSchema = z.strictObject({
  /** Null: as fast as it goes. */
  ratePerSecond: z.number().positive().max(RATE_MAX_PER_SECOND).nullable().default(null),
  /** As fast as the queue drains: waits while more than this many of it are ready. Null: does not look. */
  keepReadyBelow: z.number().int().min(1).max(10_000_000).nullable().default(null),
});
export type Pace = z.infer<typeof paceSchema>;

const ratioSchema = z.number().min(0).max(1);
export const canarySchema = z.strictObject({
  /** So many first; then none until they have ended. */
  jobs: z.number().int().min(1).max(10_000),
  /** Goes on by itself only if at most this part of those that ended died again. Otherwise it pauses. */
  maxDiedAgain: ratioSchema.default(0),
  /** Pauses when they have not all ended by then. */
  waitMs: z
    .number()
    .int()
    .min(1_000)
    .max(24 * 3_600_000)
    .default(600_000),
});
export const stopSchema = z.strictObject({
  /** Pauses when more than this part of what ended within the window died again. */
  maxDiedAgain: ratioSchema,
  windowMs: z.number().int().min(1_000).max(3_600_000).default(60_000),
  /** Fewer than so many ended say nothing yet. */
  minEnded: z.number().int().min(1).max(100_000).default(10),
});
export type Canary = z.infer<typeof canarySchema>;
export type AutomaticStop = z.infer<typeof stopSchema>;

const actionFields = {
  kind: operationKindSchema,
  scope: scopeSchema,
  /** move: where to. */
  target: queueNameSchema.optional(),
  /** edit: what to change in each payload. */
  patch: z.array(patchStepSchema).min(1).max(PATCH_MAX_STEPS).optional(),
  /** reschedule: when they become due, in ms since 1970. */
  dueAt: z.number().int().min(0).max(8_640_000_000_000).optional(),
  /** export. */
  format: z.enum(EXPORT_FORMATS).optional(),
  maxRows: z.number().int().min(1).max(EXPORT_MAX_ROWS).optional(),
  /** Re-drives also what a class says should not be (bad input, expired, duplicate risk). */
  includeUnsafe: z.boolean().default(false),
};
export const previewRequestSchema = z.strictObject(actionFields).superRefine((action, ctx) => {
  const problem = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });
  if (!KIND_STATES[action.kind].includes(action.scope.state))
    problem('scope.state', `${action.kind} works on ${KIND_STATES[action.kind].join(', ')} jobs`);
  if ((action.kind === 'move') !== (action.target !== undefined))
    problem('target', action.kind === 'move' ? 'say to which queue' : 'is for kind move only');
  if ((action.kind === 'edit') !== (action.patch !== undefined))
    problem('patch', action.kind === 'edit' ? 'say what to change' : 'is for kind edit only');
  if ((action.kind === 'reschedule') !== (action.dueAt !== undefined))
    problem(
      'dueAt',
      action.kind === 'reschedule' ? 'say when they become due' : 'is for kind reschedule only',
    );
});
export type PreviewRequest = z.infer<typeof previewRequestSchema>;
/** As it is sent: with defaults left out. */
export type PreviewInput = z.input<typeof previewRequestSchema>;

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
const skipCountsSchema = z.partialRecord(z.enum(SKIP_REASONS), z.number());

const countedSchema = z.object({ value: z.string(), count: z.number() });
/** A change to one payload, as the preview of an edit shows it. */
export const payloadDiffSchema = z.object({
  queue: z.string(),
  jobId: z.string(),
  before: z.string(),
  after: z.string().nullable(),
  /** Why it would be skipped; null: it would be re-driven. */
  problem: z.string().nullable(),
});

export const previewSchema = z.object({
  token: z.string(),
  /** When the token runs out. */
  expiresAt: z.number(),
  at: z.number(),
  cutoff: z.number(),
  kind: operationKindSchema,
  scope: scopeSchema,
  /** How many match; at least so many when not exact. */
  count: z.number(),
  exact: z.boolean(),
  /** Of all that match (null), or of so many of them: what the breakdown and the skips count. */
  sampled: z.number().nullable(),
  /** Ages alone were counted among so many of the newest; null: among as many as the rest. */
  ageSampled: z.number().nullable().default(null),
  breakdown: z.object({
    queue: z.array(countedSchema),
    type: z.array(countedSchema),
    code: z.array(countedSchema),
    class: z.array(countedSchema),
    age: z.array(countedSchema),
    tenant: z.array(countedSchema),
  }),
  samples: z.array(jobSummarySchema).max(10),
  /** Will not be moved, and why. */
  skips: skipCountsSchema,
  /** Will be moved, but will not run for now: the queue (or tenant, or type) is paused; no live worker takes the type. */
  waits: z.array(
    z.object({ reason: z.enum(['paused', 'no-worker', 'draining']), what: z.string(), count: z.number() }),
  ),
  /** What the classes among them say about putting them back. */
  advice: z.array(
    z.object({ class: z.string(), count: z.number(), safety: z.string(), sentence: z.string() }),
  ),
  diffs: z.array(payloadDiffSchema).max(10).optional(),
  /** Skips and waits were counted among so many of them; null: among all. `sampled` is about the breakdown alone when this is given. */
  lookedAt: z.number().nullable().default(null),
  /** The number that must be typed to confirm; null: none. */
  typedCount: z.number().nullable(),
  /** A second person must approve it before it starts. */
  needsApproval: z.boolean(),
});
export type Preview = z.infer<typeof previewSchema>;

/** Confirms a preview. */
export const operationRequestSchema = z.strictObject({
  previewToken: z.string().max(100),
  reason: reasonSchema,
  /** What was typed, where the preview asked for it. */
  typedCount: z.number().int().optional(),
  pace: paceSchema.optional(),
  canary: canarySchema.nullable().optional(),
  stop: stopSchema.nullable().optional(),
});
export type OperationRequest = z.input<typeof operationRequestSchema>;

export const operationChangeSchema = z
  .strictObject({ pace: paceSchema.optional(), stop: stopSchema.nullable().optional() })
  .refine((change) => Object.keys(change).length > 0, { message: 'give pace or stop' });
export type OperationChange = z.infer<typeof operationChangeSchema>;
export const OPERATION_ACTIONS = ['pause', 'resume', 'cancel', 'approve', 'reject'] as const;
export type OperationAction = (typeof OPERATION_ACTIONS)[number];
/** undo: all that can be undone, or only what also matches a query. */
export const undoRequestSchema = z.strictObject({ reason: reasonSchema, q: queryTextSchema.optional() });
export type UndoRequest = z.infer<typeof undoRequestSchema>;

/** What became of re-driven jobs. `moved` = completed + diedAgain + running + waiting + recalled + deleted. */
export const outcomeSchema = z.object({
  completed: z.number(),
  running: z.number(),
  waiting: z.number(),
  diedAgain: z.number(),
  /** Taken back to dead by an undo, or cancelled, before they ran. */
  recalled: z.number(),
  deleted: z.number(),
  /** Failure groups of those that died again, most first. */
  groups: z.array(z.object({ group: z.string(), count: z.number() })),
});
export type Outcome = z.infer<typeof outcomeSchema>;

/** What happened to an operation itself, oldest first. */
export const operationEventSchema = z.object({
  at: z.number(),
  what: z.enum([
    'created',
    'approved',
    'rejected',
    'paused',
    'resumed',
    'changed',
    'canary-passed',
    'taken-over',
    'cancelled',
    'completed',
    'failed',
  ]),
  /** A person, or Redrive itself. */
  by: z.string(),
  sentence: z.string().nullable(),
});
export type OperationEvent = z.infer<typeof operationEventSchema>;
export const OPERATION_EVENTS_KEPT = 50;

export const operationSchema = z.object({
  id: z.string(),
  kind: operationKindSchema,
  status: operationStatusSchema,
  scope: scopeSchema,
  target: z.string().nullable(),
  patch: z.array(patchStepSchema).nullable(),
  dueAt: z.number().nullable(),
  format: z.enum(EXPORT_FORMATS).nullable(),
  maxRows: z.number().nullable(),
  includeUnsafe: z.boolean(),
  cutoff: z.number(),
  actor: z.string(),
  reason: z.string(),
  createdAt: z.number(),
  /** When it first moved something; null: not yet. */
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** Jobs that matched when it was confirmed; a lower bound when `estimated`. */
  expected: z.number(),
  estimated: z.boolean(),
  scanned: z.number(),
  moved: z.number(),
  skipped: z.number(),
  skips: skipCountsSchema,
  pace: paceSchema,
  canary: canarySchema.nullable(),
  stop: stopSchema.nullable(),
  /** Where it is with its canary; null: has none, or is past it. */
  phase: z.enum(['canary', 'canary-wait']).nullable(),
  /** Why it is paused, and by whom: a person, or Redrive itself (`canary`, `died-again`). */
  paused: z.object({ by: z.string(), at: z.number(), sentence: z.string() }).nullable(),
  /** Null: what it moves does not run again. */
  outcome: outcomeSchema.nullable(),
  /** What it does not get at just now, and why; null: nothing. */
  trouble: z.string().nullable(),
  error: z.string().nullable(),
  /** The operation this one undoes. */
  undoes: z.string().nullable(),
  /** Which kind of operation undoes it, and until when; null: none can. */
  undo: z.object({ kind: operationKindSchema, until: z.number().nullable() }).nullable(),
  /** Who approved or rejected it. */
  decidedBy: z.string().nullable(),
  /** The first, and the latest of the others. */
  events: z.array(operationEventSchema).default([]),
});
export type Operation = z.infer<typeof operationSchema>;
export const operationsPageSchema = z.object({
  at: z.number(),
  operations: z.array(operationSchema),
  nextCursor: z.string().nullable(),
});

export const OPERATION_OUTCOMES = [
  'completed',
  'running',
  'waiting',
  'died-again',
  'skipped',
  'undoable',
] as const;
export const operationJobsQuerySchema = z.strictObject({
  outcome: z.enum(OPERATION_OUTCOMES),
  cursor: z.string().max(600).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export const operationJobsSchema = z.object({
  at: z.number(),
  jobs: z.array(jobSummarySchema),
  /** Outcome `skipped`: the jobs of this page that were left alone, and why; `jobs` are those of them that still exist. Each queue (or
   * shard) names the first 100 it left alone; the operation's `skips` count all. */
  skips: z.array(z.object({ queue: z.string(), jobId: z.string(), reason: z.enum(SKIP_REASONS) })).optional(),
  nextCursor: z.string().nullable(),
});
export type OperationJobsQuery = z.input<typeof operationJobsQuerySchema>;
export type OperationJobsPage = z.infer<typeof operationJobsSchema>;

/** What the class of a failure says about putting the job back. From the first seed's failure matrix. */
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
