/** Operations: bulk actions that run in the background on a set frozen at confirmation. */
import { z } from 'zod';
import { deadFilterSchema } from './dead';
import { jobIdSchema, queueNameSchema, reasonSchema } from './names';

export const OPERATION_KINDS = ['redrive', 'purge'] as const;
export const operationKindSchema = z.enum(OPERATION_KINDS);
export type OperationKind = z.infer<typeof operationKindSchema>;
export const OPERATION_STATUSES = ['running', 'completed', 'cancelled', 'failed'] as const;
export const operationStatusSchema = z.enum(OPERATION_STATUSES);
export const SELECTION_MAX_JOBS = 500;

/** Either everything that matches a filter, or the jobs that were ticked. */
export const operationRequestSchema = z
  .strictObject({
    kind: operationKindSchema,
    filter: deadFilterSchema.optional(),
    jobs: z
      .array(z.strictObject({ queue: queueNameSchema, jobId: jobIdSchema }))
      .min(1)
      .max(SELECTION_MAX_JOBS)
      .optional(),
    /** Only what died up to this server time is touched: the `at` of the page the person looked at. */
    cutoff: z.number().int().min(0).optional(),
    reason: reasonSchema,
  })
  .refine((request) => (request.filter === undefined) !== (request.jobs === undefined), {
    path: ['filter'],
    message: 'give either filter or jobs',
  });
export type OperationRequest = z.infer<typeof operationRequestSchema>;

export const operationSchema = z.object({
  id: z.string(),
  kind: operationKindSchema,
  status: operationStatusSchema,
  filter: deadFilterSchema.nullable(),
  /** How many jobs were ticked, when the operation was not by filter. */
  selected: z.number().nullable(),
  cutoff: z.number(),
  actor: z.string(),
  reason: z.string(),
  createdAt: z.number(),
  endedAt: z.number().nullable(),
  /** Jobs that matched when it was confirmed; a lower bound when `estimated`. */
  expected: z.number(),
  estimated: z.boolean(),
  scanned: z.number(),
  moved: z.number(),
  /** Matched, but left alone: no longer dead, or past its deadline. */
  skipped: z.number(),
  error: z.string().nullable(),
});
export type Operation = z.infer<typeof operationSchema>;
export const operationsPageSchema = z.object({
  at: z.number(),
  operations: z.array(operationSchema),
  nextCursor: z.string().nullable(),
});
