/** Workers as they report themselves, and how they ended. */

import { z } from 'zod';
import { jobStateSchema } from '../jobs/job-state-schemas';
import { MISSING_HANDLERS } from './handler-table';
import {
  BREAKER_STATES,
  HANDLER_VERSIONS_MAX,
  HANDLERS_MAX,
  UNKNOWN_JOBS_MAX,
  WORKER_STATUSES,
} from './worker-limits';
import { pendingRequestSchema } from './worker-requests';

export type { HeldJob, Worker, WorkersPage } from './reported-worker';

const workerStatusSchema = z.enum(WORKER_STATUSES);
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
  breakers: z
    .array(
      z.object({
        jobType: z.string(),
        state: z.enum(BREAKER_STATES),
        failures: z.number(),
        retryAt: z.number().nullable(),
      }),
    )
    .default([]),
  handlers: z
    .array(z.object({ type: z.string(), versions: z.array(z.number()).max(HANDLER_VERSIONS_MAX) }))
    .max(HANDLERS_MAX)
    .default([]),
  unknownJobs: z
    .array(
      z.object({
        queue: z.string(),
        jobType: z.string(),
        jobVersion: z.number(),
        missing: z.enum(MISSING_HANDLERS),
        runs: z.number(),
        lastAt: z.number(),
      }),
    )
    .max(UNKNOWN_JOBS_MAX)
    .default([]),
  schemasDigest: z.string().max(64).default(''),
  memoryBytes: z.number(),
  eventLoopDelayMs: z.number(),
  end: z.object({ at: z.number(), cause: z.string(), reclaimed: z.number() }).nullable(),
  actions: z.array(z.string().max(20)).max(10).default([]),
  request: pendingRequestSchema.nullable().default(null),
  partial: z.literal(true).optional(),
});
/** A job that an ended worker held. */
export const heldJobSchema = z.object({ queue: z.string(), jobId: z.string() });
/** A worker as stored. Lists leave out what it held: they would be long with it. */
export const workerRecordSchema = workerSchema
  .omit({ lastSeenAt: true, request: true })
  .extend({ held: z.array(heldJobSchema).default([]) });
export type WorkerRecord = z.infer<typeof workerRecordSchema>;
/** The jobs a worker held when it ended, or holds, and where each is now. */
export const workerJobsSchema = z.object({
  at: z.number(),
  jobs: z.array(
    heldJobSchema.extend({
      /** Null: the job was deleted. */
      state: jobStateSchema.nullable(),
      jobType: z.string().nullable(),
      /** How often it was claimed. */
      deliveries: z.number().nullable(),
    }),
  ),
});
export type WorkerJobs = z.infer<typeof workerJobsSchema>;
export const workersPageSchema = z.object({ at: z.number(), workers: z.array(workerSchema) });
