/** Workers as they report themselves, and what became of those that vanished. */
import { z } from 'zod';
import { HANDLER_VERSIONS_MAX, HANDLERS_MAX } from './handlers';

export const WORKER_STATUSES = ['running', 'draining', 'lost', 'crashed', 'stopped'] as const;
export const workerStatusSchema = z.enum(WORKER_STATUSES);
export const BREAKER_STATES = ['closed', 'open', 'half-open'] as const;
export const workerSchema = z.object({
  workerId: z.string(),
  status: workerStatusSchema,
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  startedAt: z.number(),
  lastSeenAt: z.number(),
  queues: z.record(z.string(), z.number()),
  concurrency: z.number(),
  leaseMs: z.number(),
  /** What it holds right now. */
  jobs: z.array(
    z.object({
      queue: z.string(),
      jobId: z.string(),
      jobType: z.string(),
      startedAt: z.number(),
      leaseUntil: z.number(),
    }),
  ),
  completed: z.number(),
  failed: z.number(),
  /** Circuit breakers that are not closed, or were not lately. */
  breakers: z
    .array(
      z.object({
        jobType: z.string(),
        state: z.enum(BREAKER_STATES),
        failures: z.number(),
        /** When it lets a trial run through; null: closed. */
        retryAt: z.number().nullable(),
      }),
    )
    .default([]),
  /** The job types it runs. Empty: it does not say. */
  handlers: z
    .array(z.object({ type: z.string(), versions: z.array(z.number()).max(HANDLER_VERSIONS_MAX) }))
    .max(HANDLERS_MAX)
    .default([]),
  /** Names what its handlers' payloads look like, which is kept apart from its reports; empty: not told. */
  schemasDigest: z.string().max(64).default(''),
  memoryBytes: z.number(),
  eventLoopDelayMs: z.number(),
  /** For those that ended: how (signal or exit code) and how many jobs went back. */
  end: z.object({ at: z.number(), cause: z.string(), reclaimed: z.number() }).nullable(),
  /** It also serves queues that the asker may not see as a whole: what it says of all of them together is left out (0, empty). */
  partial: z.literal(true).optional(),
});
export type Worker = z.infer<typeof workerSchema>;
export const workersPageSchema = z.object({ at: z.number(), workers: z.array(workerSchema) });
export type WorkersPage = z.infer<typeof workersPageSchema>;
