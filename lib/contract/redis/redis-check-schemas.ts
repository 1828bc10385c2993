/** The answer to "is this Redis fit for jobs": one row a check, for each server. */
import { z } from 'zod';
import { CHECK_TOPICS, CHECK_VERDICTS } from './redis-check-verdicts';

export const redisCheckSchema = z.object({
  id: z.string(),
  topic: z.enum(CHECK_TOPICS),
  title: z.string(),
  verdict: z.enum(CHECK_VERDICTS),
  /** What was found, or why it cannot be told. */
  value: z.string(),
  /** Why it matters to jobs. */
  why: z.string(),
  /** Null: nothing to do. */
  fix: z.string().nullable(),
});
export type RedisCheckResult = z.infer<typeof redisCheckSchema>;

export const redisChecksSchema = z.object({
  at: z.number(),
  verdict: z.enum(CHECK_VERDICTS),
  servers: z.array(
    z.object({
      /** `host:port` of a node of a Cluster; null: the only server. */
      node: z.string().nullable(),
      version: z.string(),
      checks: z.array(redisCheckSchema),
    }),
  ),
});
export type RedisChecks = z.infer<typeof redisChecksSchema>;
