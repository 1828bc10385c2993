/** How jobs are listed, and where a list or a search continues. */
import { z } from 'zod';
import { accessScopeSchema } from '../access/grant-schemas';
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../api-paths';
import { jobIdSchema, queueNameSchema } from '../name-schemas';
import { queryTextSchema } from '../search/query/query-text-schema';
import { jobStateSchema } from './job-state-schemas';

export const listOptionsSchema = z.strictObject({
  state: jobStateSchema,
  cursor: z.string().optional(),
  limit: z.number().int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
  /** Only matching jobs; see docs/search.md. */
  q: queryTextSchema.default(''),
  /** Only jobs in this scope; left out: all. */
  within: accessScopeSchema.readonly().optional(),
});
export type ListOptions = z.input<typeof listOptionsSchema>;

/** Where a list continues: the content of its cursors. */
export const listPositionSchema = z.object({
  score: z.string().regex(/^-?\d{1,17}(\.\d{1,17})?$/),
  jobId: jobIdSchema,
});
export type ListPosition = z.infer<typeof listPositionSchema>;
/** Where a search continues: a position in the order of all its queues, and the counts so far. */
export const searchPositionSchema = z.object({
  score: listPositionSchema.shape.score,
  queue: queueNameSchema,
  shard: z.number().int().min(0).max(63),
  /** Empty: before all ids of that score. */
  jobId: jobIdSchema.or(z.literal('')),
  /** What ages count back from: that of the first page. */
  at: z.number().int(),
  found: z.number().int().min(0),
  scanned: z.number().int().min(0),
});
export type SearchPosition = z.infer<typeof searchPositionSchema>;
