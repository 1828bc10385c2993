import { resumeRequestSchema } from '@/lib/contract/queue';
import { getBroker } from '@/lib/server/broker';
import { queueParams, requireQueue } from '@/lib/server/params';
import { pausesOf } from '@/lib/server/pauses';
import { route } from '@/lib/server/route';

export const POST = route({
  permission: 'operate',
  params: queueParams,
  body: resumeRequestSchema,
  handle: async ({ params, body, session, requestId }) => {
    await requireQueue(params.queue);
    await getBroker().resume(params.queue, body.scope, {
      actor: session.actor,
      reason: body.reason,
      requestId,
    });
    return { pauses: await pausesOf(params.queue) };
  },
});
