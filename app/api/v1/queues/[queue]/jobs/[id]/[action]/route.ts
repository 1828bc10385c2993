import { z } from 'zod';
import { getBroker } from '@/lib/server/broker';
import { actOnJob } from '@/lib/server/job-actions';
import { actionParams, requireQueue } from '@/lib/server/params';
import { route } from '@/lib/server/route';

export const POST = route({
  // Each action states the permission it needs beyond this one.
  permission: 'view',
  params: actionParams,
  body: z.unknown(),
  handle: async ({ params, body, session, requestId }) => {
    await requireQueue(params.queue);
    return actOnJob(
      { broker: getBroker(), queue: params.queue, jobId: params.id, session, requestId },
      params.action,
      body,
    );
  },
});
