/** From what HTTP brings to what the broker takes. */
import type { z } from 'zod';
import { idFrom } from '@/lib/broker';
import type { EnqueueInput, enqueueRequestJobSchema, enqueueRequestSchema } from '@/lib/contract/envelope';
import { jsonText } from '@/lib/contract/exact-json';

type RequestJob = z.output<typeof enqueueRequestJobSchema>;

/**
 * The jobs of a request. With an Idempotency-Key their ids follow from it, so that sending the request again finds the jobs
 * of the first sending.
 */
export function jobsOf(
  body: z.output<typeof enqueueRequestSchema>,
  idempotencyKey: string | null,
): EnqueueInput[] {
  const jobs = 'jobs' in body ? body.jobs : [body];
  return jobs.map((job, index) => {
    const { payload, payloadText, ...envelope } = job as RequestJob;
    return {
      ...envelope,
      jobId: envelope.jobId ?? (idempotencyKey === null ? undefined : idFrom(idempotencyKey, String(index))),
      payload: payloadText ?? jsonText(payload),
    };
  });
}
