/** Queries and replies of the HTTP API that several subjects share. */
import { z } from 'zod';
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from './api-paths';
import { enqueueResultSchema } from './jobs/envelope';
import { JOB_STATES } from './jobs/job-states';
import { reasonSchema } from './name-schemas';
import { OPERATION_STATUSES } from './operations/operation-kinds';
import { operationKindSchema } from './operations/operation-request';
import { pauseSchema } from './queues/pause-schemas';
import { queryTextSchema } from './search/query/query-text-schema';

export const pageQuerySchema = z.object({
  /** A search's cursor has a position in each of its shards. */
  cursor: z.string().max(600).optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
});
export const jobsQuerySchema = pageQuerySchema
  .extend({
    state: z.enum(JOB_STATES).default('ready'),
    q: queryTextSchema.default(''),
  })
  .strict();
/** Part of a name or text, in any case. */
const partSchema = z.string().trim().max(100, 'must be at most 100 characters').optional();
export const operationsQuerySchema = pageQuerySchema
  .extend({
    status: z.enum(OPERATION_STATUSES).optional(),
    kind: operationKindSchema.optional(),
    /** Of the id, the reason or the user's name. */
    q: partSchema,
  })
  .strict();
export const changesQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
/** `q`: part of the id. */
export const schedulesQuerySchema = pageQuerySchema.extend({ q: partSchema }).strict();
export const actionRequestSchema = z.strictObject({ reason: reasonSchema.optional() });

export const operationActionRequestSchema = actionRequestSchema.extend({
  canary: z
    .boolean()
    .optional()
    .describe('When it is resumed after a failed canary: another canary of the same size goes first'),
});

export const actionResultSchema = z.object({ outcome: z.string() });
export const removedSchema = z.object({ id: z.string(), deleted: z.literal(true) });
export const pausesSchema = z.object({ pauses: z.array(pauseSchema) });
export const reclaimedSchema = z.object({ reclaimed: z.number() });
export const enqueueReplySchema = z.object({ results: z.array(enqueueResultSchema) });
export const labBurstReplySchema = z.object({ enqueued: z.number() });
export const emptySchema = z.strictObject({});
/** `/readyz`. Principals with full view also learn the version, the time and what to improve. */
export const readinessSchema = z.object({
  status: z.literal('ready'),
  redis: z.string().optional(),
  at: z.number().optional(),
  advice: z.string().optional(),
});
export type Readiness = z.infer<typeof readinessSchema>;
