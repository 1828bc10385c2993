/** What an operation is asked to do, to which jobs, and how fast. */
import { z } from 'zod';
import { jobIdSchema, queueNameSchema } from './names';
import { KIND_STATES, operationKindSchema, SELECTION_MAX_JOBS } from './operation-kinds';
import { withinSchema } from './permissions';
import { queryTextSchema } from './query/filter';
import { jobStateSchema } from './states';

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

const scopeFields = {
  state: jobStateSchema.default('dead'),
  q: queryTextSchema.optional(),
  jobs: z
    .array(z.strictObject({ queue: queueNameSchema, jobId: jobIdSchema }))
    .min(1)
    .max(SELECTION_MAX_JOBS)
    .optional(),
  /** Only this queue, whatever the query says: the list the person looked at. */
  queue: queueNameSchema.optional(),
};
const isOneOf = (scope: { q?: string | undefined; jobs?: unknown }): boolean =>
  (scope.q === undefined) !== (scope.jobs === undefined);
const ONE_OF = { path: ['q'], message: 'give either q or jobs' };
/** Everything in a state that matches a query, or the jobs that were ticked: as somebody asks for it. */
export const scopeSchema = z.strictObject(scopeFields).refine(isOneOf, ONE_OF);
/** The same with what whoever asked for it may touch at all. That is for the server to say: no request may bring it along. */
export const boundScopeSchema = z
  .strictObject({
    ...scopeFields,
    /** Nothing outside is looked at, counted or moved. Left out: everything may be. */
    within: withinSchema.readonly().optional(),
  })
  .refine(isOneOf, ONE_OF);
export type Scope = z.infer<typeof boundScopeSchema>;

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
/** As a client sends it. */
export const previewRequestSchema = z
  .strictObject({ ...actionFields, scope: scopeSchema })
  .superRefine(checkAction);
/** As the broker takes it. */
export const boundPreviewRequestSchema = boundActionSchema.superRefine(checkAction);
export type PreviewRequest = z.infer<typeof boundPreviewRequestSchema>;
/** With defaults left out. */
export type PreviewInput = z.input<typeof boundPreviewRequestSchema>;
