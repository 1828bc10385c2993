import { jobsQuerySchema } from '@/lib/contract/api';
import { enqueueRequestSchema } from '@/lib/contract/envelope';
import { RedriveError } from '@/lib/contract/errors';
import { getBroker } from '@/lib/server/broker';
import { jobsOf } from '@/lib/server/enqueue';
import { queueParams, requireQueue } from '@/lib/server/params';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  params: queueParams,
  query: jobsQuerySchema,
  handle: async ({ params, query }) => {
    await requireQueue(params.queue);
    return getBroker().inspect.list(params.queue, query);
  },
});

export const POST = route({
  permission: 'enqueue',
  params: queueParams,
  body: enqueueRequestSchema,
  status: 201,
  handle: async ({ params, body, idempotencyKey }) => {
    const results = await getBroker().enqueueMany(params.queue, jobsOf(body, idempotencyKey));
    const [only] = results;
    if (results.length === 1 && only?.outcome === 'conflict')
      throw new RedriveError(
        'ID_CONFLICT',
        `The id ${only.jobId} already belongs to a job with another content in ${params.queue}. Choose another jobId.`,
        {
          fields: [{ field: 'jobId', message: 'is taken by a job with another content' }],
        },
      );
    return { results };
  },
});
