/** What an operator asks of workers: to take no new jobs, to take them again, or to end. */
import { z } from 'zod';
import { reasonSchema, workerIdSchema } from '../name-schemas';
import { REQUESTED_WORKERS_MAX, WORKER_ACTIONS } from './worker-limits';

export const workerActionSchema = z.enum(WORKER_ACTIONS);
export type WorkerAction = (typeof WORKER_ACTIONS)[number];

export const workerRequestSchema = z.strictObject({
  action: workerActionSchema,
  workers: z
    .array(workerIdSchema)
    .min(1, 'must name at least one worker')
    .max(REQUESTED_WORKERS_MAX, `must name at most ${REQUESTED_WORKERS_MAX} workers`),
  reason: reasonSchema,
});
export type WorkerRequest = z.output<typeof workerRequestSchema>;

/** The last request to a live worker. */
export const pendingRequestSchema = z.object({
  action: workerActionSchema,
  at: z.number(),
  actor: z.string(),
  reason: z.string(),
});
export interface PendingRequest {
  action: WorkerAction;
  at: number;
  actor: string;
  reason: string;
}

export const REQUEST_OUTCOMES = ['requested', 'unchanged', 'stopping', 'unsupported', 'not-alive'] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];
export const workerRequestReplySchema = z.object({
  /** In the order of the request. */
  results: z.array(z.object({ workerId: z.string(), outcome: z.enum(REQUEST_OUTCOMES) })),
});
export type WorkerRequestReply = z.infer<typeof workerRequestReplySchema>;
