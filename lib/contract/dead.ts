/** Dead letters: the filter, a page of them, and their facets. */
import { z } from 'zod';
import { ERROR_CLASSES } from './failures';
import { jobSummarySchema } from './job';
import { errorCodeSchema, jobTypeSchema, queueNameSchema, tenantIdSchema } from './names';

/** Every field narrows. Ages are of the death, counted back from the moment the filter is used. */
export const deadFilterSchema = z.strictObject({
  queue: queueNameSchema.optional(),
  type: jobTypeSchema.optional(),
  tenant: tenantIdSchema.optional(),
  code: errorCodeSchema.optional(),
  class: z.enum(ERROR_CLASSES).optional(),
  minAgeMs: z.coerce
    .number()
    .int()
    .min(0)
    .max(366 * 86_400_000)
    .optional(),
  maxAgeMs: z.coerce
    .number()
    .int()
    .min(0)
    .max(366 * 86_400_000)
    .optional(),
});
export type DeadFilter = z.infer<typeof deadFilterSchema>;

export const deadFacetSchema = z.object({ value: z.string(), count: z.number() });
export const deadFacetsSchema = z.object({
  queue: z.array(deadFacetSchema),
  type: z.array(deadFacetSchema),
  tenant: z.array(deadFacetSchema),
  code: z.array(deadFacetSchema),
  class: z.array(deadFacetSchema),
});
export type DeadFacets = z.infer<typeof deadFacetsSchema>;

export const deadPageSchema = z.object({
  at: z.number(),
  jobs: z.array(jobSummarySchema),
  nextCursor: z.string().nullable(),
  /** How many match. When `exact` is false the count stopped at its budget and is a lower bound. */
  matching: z.object({ count: z.number(), exact: z.boolean() }),
  /** What could not be read: its jobs are missing here, and from `matching`. */
  unavailable: z.array(z.object({ queue: z.string(), shard: z.number() })).optional(),
});
export type DeadPage = z.infer<typeof deadPageSchema>;
