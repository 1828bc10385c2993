/** The answer to "is this Redis fit for jobs": one row a check, for each server. */
import { z } from 'zod';

/** Worst first. `unknown`: the user of the connection may not ask. */
export const CHECK_VERDICTS = ['bad', 'warn', 'unknown', 'ok'] as const;
export type CheckVerdict = (typeof CHECK_VERDICTS)[number];

export const CHECK_TOPICS = [
  'memory',
  'durability',
  'replication',
  'clients',
  'latency',
  'scripts',
  'security',
  'server',
] as const;
export type CheckTopic = (typeof CHECK_TOPICS)[number];

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

/** The worst of several; unknown is worse than ok. */
export const worstVerdict = (verdicts: readonly CheckVerdict[]): CheckVerdict =>
  CHECK_VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'ok';
