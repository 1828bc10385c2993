/**
 * What the event stream carries. The first event of a stream, `frame`, holds everything a page needs to stay live; each second a `change`
 * holds the differences. See `frame-patch.ts`.
 */
import { z } from 'zod';
import { labStateSchema } from '../lab/lab-schemas';
import { operationSchema } from '../operations/operation';
import { overviewSchema, queueSnapshotSchema } from '../queues/queue-schemas';
import { workersPageSchema } from '../workers/worker-schemas';

/** One thing that happened in a queue: ids and states only, never payloads. `count` may exceed the ids listed. */
const movementSchema = z.object({
  id: z.string(),
  at: z.number(),
  queue: z.string(),
  event: z.string(),
  count: z.number(),
  jobIds: z.array(z.string()),
  worker: z.string().nullable(),
});
export type Movement = z.infer<typeof movementSchema>;

export const frameSchema = z.object({
  /** With the first page of queues, worst first. */
  overview: overviewSchema,
  /** Every number of the queues that the stream was asked to watch. */
  watched: z.array(queueSnapshotSchema),
  workers: workersPageSchema,
  /** Null when the lab is switched off. */
  lab: labStateSchema.nullable(),
  /** Operations that have not ended, or did in the last minute. */
  operations: z.array(operationSchema),
  /** The latest movements, oldest first, at most 50. */
  movements: z.array(movementSchema),
});
export type Frame = z.infer<typeof frameSchema>;
