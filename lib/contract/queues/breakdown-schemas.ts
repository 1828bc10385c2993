/** Who a queue's jobs are of: ready and completed jobs by tenant and type, ready jobs by priority; and the memory of its keys. */
import { z } from 'zod';

const shareSchema = z.object({
  name: z.string(),
  /** Ready jobs: exact if all were read, else estimated from the sample. */
  ready: z.number(),
  /** Jobs held by a pause or a limit of this name, exact. */
  held: z.number(),
  /** Of the ready jobs, 0..1. */
  readyShare: z.number(),
  /** Of those read; null: none was. */
  oldestReadyAgeMs: z.number().nullable(),
  /** Of the last minute at most, from completed jobs that are kept; null: none was of this name. */
  completedPerSecond: z.number().nullable(),
  /** Null: fewer than 5 runs are known. */
  runTimeP95Ms: z.number().nullable(),
});
export type QueueShare = z.infer<typeof shareSchema>;

export const queueBreakdownSchema = z.object({
  at: z.number(),
  ready: z.object({ total: z.number(), read: z.number(), exact: z.boolean() }),
  /** All held jobs: those of tenants' pauses and limits, and those of job types' pauses. Each counts once. */
  held: z.object({ total: z.number(), byTenant: z.number(), byType: z.number() }),
  /** How many completed jobs the rates are from, and over how long; null: none is kept. */
  completed: z.object({ read: z.number(), windowMs: z.number() }).nullable(),
  /** The largest first. */
  tenants: z.array(shareSchema),
  types: z.array(shareSchema),
  /** Names that were read and are not listed. */
  more: z.object({ tenants: z.number(), types: z.number() }),
  /** Exact, the highest first. */
  priorities: z.array(z.object({ priority: z.number(), ready: z.number() })),
  /** Shards that could not be read. */
  unavailable: z.array(z.number()),
});
export type QueueBreakdown = z.infer<typeof queueBreakdownSchema>;

export const queueMemorySchema = z.object({
  at: z.number(),
  bytes: z.number(),
  /** As named in docs/redis-keys.md, of all shards together; the largest first. */
  keys: z.array(z.object({ name: z.string(), bytes: z.number() })),
  unavailable: z.array(z.number()),
});
export type QueueMemory = z.infer<typeof queueMemorySchema>;
