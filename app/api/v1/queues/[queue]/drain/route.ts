import { drainRequestSchema } from '@/lib/contract/config';
import { getBroker } from '@/lib/server/broker';
import { queueParams, requireQueue } from '@/lib/server/params';
import { route } from '@/lib/server/route';

/** Starts or ends draining; answers with the settings as they are then, which say who drains and why. */
export const POST = route({
  permission: 'operate',
  params: queueParams,
  body: drainRequestSchema,
  handle: async ({ params, body, session, requestId }) => {
    await requireQueue(params.queue);
    await getBroker().drain(params.queue, body, { actor: session.actor, requestId });
    return getBroker().config.get(params.queue);
  },
});
