import { shardingSchema } from '@/lib/contract/config';
import { getBroker } from '@/lib/server/broker';
import { queueParams } from '@/lib/server/params';
import { route } from '@/lib/server/route';

/** A queue need not exist yet: its layout is best chosen before its first job. */
export const PUT = route({
  permission: 'operate',
  params: queueParams,
  body: shardingSchema,
  handle: async ({ params, body, session, requestId }) => {
    await getBroker().sharding.set(params.queue, body, { actor: session.actor, requestId });
    return getBroker().config.get(params.queue);
  },
});
