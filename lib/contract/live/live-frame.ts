/**
 * What the event stream carries. The first event of a stream, `frame`, holds everything a page needs to stay live; each second a `change`
 * holds the differences. See `frame-patch.ts`.
 */
import { z } from 'zod';
import { operationSchema } from '../operations/operation';
import { overviewSchema, queueSnapshotSchema } from '../queues/queue-schemas';
import { workersPageSchema } from '../workers/worker-schemas';

export const frameSchema = z.object({
  /** With the first page of queues, worst first. */
  overview: overviewSchema,
  /** Every number of the queues that the stream was asked to watch. */
  watched: z.array(queueSnapshotSchema),
  workers: workersPageSchema,
  /** Operations that have not ended, or did in the last minute. */
  operations: z.array(operationSchema),
});
export type Frame = z.infer<typeof frameSchema>;
