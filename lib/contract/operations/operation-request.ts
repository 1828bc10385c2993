/** Requests for operations: preview, confirmation, change and undo. */
import { z } from 'zod';
import { accessScopeSchema } from '../access/grant-schemas';
import { PAYLOAD_MAX_BYTES } from '../jobs/job-limits';
import { jobStateSchema } from '../jobs/job-state-schemas';
import { jobIdSchema, queueNameSchema, reasonSchema } from '../name-schemas';
import { queryTextSchema } from '../search/query/query-text-schema';
import { wholeText } from '../whole-text';
import {
  EXPORT_FORMATS,
  EXPORT_MAX_ROWS,
  KIND_STATES,
  OPERATION_KINDS,
  OPERATION_OUTCOMES,
  PATCH_MAX_STEPS,
  RATE_MAX_PER_SECOND,
  SELECTION_MAX_JOBS,
} from './operation-kinds';

export const operationKindSchema = z.enum(OPERATION_KINDS);

const PATCH_VALUE_MAX_DEPTH = 100;
/** Limits the depth before other code recurses; parsers may lose a member `__proto__`. */
function canBePut(value: unknown, levels: number = PATCH_VALUE_MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0 || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((part) => canBePut(part, levels - 1));
}
export const jsonValueSchema = z.json();
const patchValueSchema = z
  .unknown()
  .refine((value) => canBePut(value), {
    message: `must be at most ${PATCH_VALUE_MAX_DEPTH} levels deep, without a member __proto__`,
  })
  .pipe(jsonValueSchema);

/** RFC 6902, of it what changes a payload: add, remove, replace, and test (a payload that fails a test is skipped). */
export const patchStepSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('add'), path: wholeText().max(500), value: patchValueSchema }),
  z.strictObject({ op: z.literal('replace'), path: wholeText().max(500), value: patchValueSchema }),
  z.strictObject({ op: z.literal('remove'), path: wholeText().max(500) }),
  z.strictObject({ op: z.literal('test'), path: wholeText().max(500), value: patchValueSchema }),
]);
export type PatchStep = z.infer<typeof patchStepSchema>;
const scopeFields = {
  state: jobStateSchema.default('dead'),
  q: queryTextSchema.optional(),
  jobs: z
    .array(z.strictObject({ queue: queueNameSchema, jobId: jobIdSchema }))
    .min(1)
    .max(SELECTION_MAX_JOBS)
    .optional(),
  /** Only this queue, whatever the query says. */
  queue: queueNameSchema.optional(),
};
const isOneOf = (scope: { q?: string | undefined; jobs?: unknown }): boolean =>
  (scope.q === undefined) !== (scope.jobs === undefined);
const ONE_OF = { path: ['q'], message: 'give either q or jobs' };
/** The jobs in a state that match a query, or selected jobs. */
export const scopeSchema = z.strictObject(scopeFields).refine(isOneOf, ONE_OF);
/** With the access scope of its user, which the server adds: a request must not contain it. */
export const boundScopeSchema = z
  .strictObject({
    ...scopeFields,
    /** Jobs outside are neither read, counted nor moved. Left out: no limit. */
    within: accessScopeSchema.readonly().optional(),
  })
  .refine(isOneOf, ONE_OF);
export type Scope = z.infer<typeof boundScopeSchema>;

export const rateSchema = z.strictObject({
  /** Null: unlimited. */
  perSecond: z.number().positive().max(RATE_MAX_PER_SECOND).nullable().default(null),
  /** Waits while the queue has more ready jobs than this. Null: never. */
  keepReadyBelow: z.number().int().min(1).max(10_000_000).nullable().default(null),
});
export type OperationRate = z.infer<typeof rateSchema>;

const ratioSchema = z.number().min(0).max(1);
export const canarySchema = z.strictObject({
  /** The first jobs; the others wait until these have ended. */
  jobs: z.number().int().min(1).max(10_000),
  /** Pauses when more than this share of the ended jobs died again. */
  maxDiedAgain: ratioSchema.default(0),
  /** Pauses when some have not ended after this long. */
  waitMs: z
    .number()
    .int()
    .min(1_000)
    .max(24 * 3_600_000)
    .default(600_000),
});
export const stopSchema = z.strictObject({
  /** Pauses when more than this share of the jobs that ended within the window died again. */
  maxDiedAgain: ratioSchema,
  windowMs: z.number().int().min(1_000).max(3_600_000).default(60_000),
  /** Ended jobs below which the share is not judged. */
  minEnded: z.number().int().min(1).max(100_000).default(10),
});
export type Canary = z.infer<typeof canarySchema>;
export type AutomaticStop = z.infer<typeof stopSchema>;

/** Every list and live frame carries it, so as a whole it is no longer than the payload that it changes. */
const patchSchema = z
  .array(patchStepSchema)
  .min(1)
  .max(PATCH_MAX_STEPS)
  .refine(
    (steps) =>
      !canBePut(steps, PATCH_VALUE_MAX_DEPTH + 2) || JSON.stringify(steps).length <= PAYLOAD_MAX_BYTES,
    {
      message: `must have at most ${PAYLOAD_MAX_BYTES / 1_024} KiB as JSON: no payload can hold more`,
    },
  );
const actionFields = {
  kind: operationKindSchema,
  /** move: where to. */
  target: queueNameSchema.optional(),
  /** edit: what to change in each payload. */
  patch: patchSchema.optional(),
  /** reschedule: when they become due, in ms since 1970. */
  dueAt: z.number().int().min(0).max(8_640_000_000_000).optional(),
  /** export. */
  format: z.enum(EXPORT_FORMATS).optional(),
  maxRows: z.number().int().min(1).max(EXPORT_MAX_ROWS).optional(),
  /** Also re-drives jobs that their error class advises against (bad input, expired, duplicate risk). */
  includeUnsafe: z.boolean().default(false),
};
const boundActionSchema = z.strictObject({ ...actionFields, scope: boundScopeSchema });
function checkAction(action: z.infer<typeof boundActionSchema>, ctx: z.RefinementCtx): void {
  const problem = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });
  if (action.kind === 'delete-queue') {
    if (action.scope.queue === undefined) problem('scope.queue', 'say which queue');
    if (action.scope.jobs || action.scope.q?.trim())
      problem('scope.q', 'must be empty: all of the queue is deleted');
  } else if (!KIND_STATES[action.kind].includes(action.scope.state))
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
}
/** From a client. */
export const previewRequestSchema = z
  .strictObject({ ...actionFields, scope: scopeSchema })
  .superRefine(checkAction);
/** For the broker. */
export const boundPreviewRequestSchema = boundActionSchema.superRefine(checkAction);
export type PreviewRequest = z.infer<typeof boundPreviewRequestSchema>;
/** With defaults left out. */
export type PreviewInput = z.input<typeof boundPreviewRequestSchema>;

/** Confirms a preview. */
export const operationRequestSchema = z.strictObject({
  previewToken: z.string().max(100),
  reason: reasonSchema,
  /** The typed count, when the preview asks for it. */
  typedCount: z.number().int().optional(),
  /** delete-queue: the name of the queue, typed. */
  typedName: z.string().max(100).optional(),
  rate: rateSchema.optional(),
  canary: canarySchema.nullable().optional(),
  stop: stopSchema.nullable().optional(),
});
/** With defaults left out. */
export type OperationRequest = z.input<typeof operationRequestSchema>;
export type ParsedOperationRequest = z.output<typeof operationRequestSchema>;

export const operationChangeSchema = z
  .strictObject({ rate: rateSchema.optional(), stop: stopSchema.nullable().optional() })
  .refine((change) => Object.keys(change).length > 0, { message: 'give rate or stop' });
export type OperationChange = z.infer<typeof operationChangeSchema>;
/** Undoes every job that can be undone, or only those that also match a query. */
export const undoRequestSchema = z.strictObject({ reason: reasonSchema, q: queryTextSchema.optional() });
export type UndoRequest = z.infer<typeof undoRequestSchema>;

export const operationJobsQuerySchema = z.strictObject({
  outcome: z.enum(OPERATION_OUTCOMES),
  cursor: z.string().max(600).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
/** With defaults left out. */
export type OperationJobsInput = z.input<typeof operationJobsQuerySchema>;
export type OperationJobsQuery = z.output<typeof operationJobsQuerySchema>;
