/** Finding jobs by a reference, over all queues and states: an id, uniqueness key or idempotency key by lookup, other references by search. */

import { z } from 'zod';
import { jobSummarySchema } from '../jobs/job-schemas';
import { jobStateSchema } from '../jobs/job-state-schemas';
import { referenceSchema } from '../name-schemas';
import { FIND_BUDGET_DEFAULT, FIND_BUDGET_MAX } from './search-limits';

export const findQuerySchema = z.strictObject({ q: referenceSchema });
export const findStreamQuerySchema = findQuerySchema.extend({
  /** Jobs that it looks at, over all states. */
  budget: z.coerce.number().int().min(1).max(FIND_BUDGET_MAX).default(FIND_BUDGET_DEFAULT),
});

const shardSchema = z.object({ queue: z.string(), shard: z.number() });
const unavailableSchema = z.array(shardSchema).optional();

const foundJobSchema = jobSummarySchema.extend({
  /** What the reference is to the job: its id, the uniqueness key that it holds, or its idempotency key. */
  by: z.enum(['id', 'unique', 'key']),
});
export type FoundJob = z.infer<typeof foundJobSchema>;
export const findReplySchema = z.object({
  at: z.number(),
  /** In the order of their queues. */
  jobs: z.array(foundJobSchema),
  /** Whether there are more than these. */
  more: z.boolean(),
  /** Shards that were not asked, because there are too many. */
  unasked: z.number().optional(),
  unavailable: unavailableSchema,
});
export type FindReply = z.infer<typeof findReplySchema>;

const findProgressSchema = z.object({
  /** Matches so far. */
  found: z.number(),
  /** Jobs looked at so far … */
  scanned: z.number(),
  /** … of so many, as far as is known. */
  of: z.number(),
});
export type FindProgress = z.infer<typeof findProgressSchema>;
/** A line of a streamed search for a reference (NDJSON). */
export const findEventSchema = z.union([
  z.object({ jobs: z.array(jobSummarySchema) }),
  z.object({ progress: findProgressSchema }),
  z.object({
    end: findProgressSchema.extend({
      /** `budget`: it looked at as many jobs as it may. `limit`: it found as many as it lists. */
      stopped: z.enum(['budget', 'limit']).nullable(),
      /** States whose jobs were not all looked at. */
      states: z.array(jobStateSchema),
      /** Shards that were not searched, because there are too many. */
      unasked: z.number().optional(),
      unavailable: unavailableSchema,
    }),
  }),
  z.object({ error: z.object({ code: z.string(), detail: z.string() }) }),
]);
export type FindEvent = z.infer<typeof findEventSchema>;
