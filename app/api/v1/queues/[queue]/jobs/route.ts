import { jobsQuerySchema } from '@/lib/contract/api';
import { type EnqueueOutcome, enqueueRequestSchema } from '@/lib/contract/envelope';
import { getBroker } from '@/lib/server/broker';
import { jobsOf } from '@/lib/server/enqueue';
import { queueParams, requireQueue } from '@/lib/server/params';
import { jsonResponse, route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  params: queueParams,
  query: jobsQuerySchema,
  handle: async ({ params, query }) => {
    await requireQueue(params.queue);
    return getBroker().inspect.list(params.queue, query);
  },
});

/** A batch is answered job by job; nothing was created when each of its jobs was refused. */
const REFUSED: ReadonlySet<EnqueueOutcome> = new Set([
  'conflict',
  'not-unique',
  'queue-full',
  'shed',
  'draining',
]);

export const POST = route({
  permission: 'enqueue',
  params: queueParams,
  body: enqueueRequestSchema,
  status: 201,
  handle: async ({ params, body, idempotencyKey, requestId }) => {
    const jobs = jobsOf(body, idempotencyKey);
    const [only] = jobs;
    // One job that may not come in is an error with its own status; in a batch the others are in, so each says how it fared.
    if (!('jobs' in body) && only) return { results: [await getBroker().enqueue(params.queue, only)] };
    const results = await getBroker().enqueueMany(params.queue, jobs);
    return results.every(({ outcome }) => REFUSED.has(outcome))
      ? jsonResponse({ results }, 200, requestId)
      : { results };
  },
});
