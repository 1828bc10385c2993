import { configPatchSchema } from '@/lib/contract/config';
import { getBroker } from '@/lib/server/broker';
import { queueParams, requireQueue } from '@/lib/server/params';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  params: queueParams,
  handle: async ({ params }) => {
    await requireQueue(params.queue);
    return getBroker().config.get(params.queue);
  },
});

/** Only the settings named change. `ifRevision` refuses a change made over somebody else's. */
export const PATCH = route({
  permission: 'operate',
  params: queueParams,
  body: configPatchSchema,
  handle: async ({ params, body, session, requestId }) => {
    await requireQueue(params.queue);
    return getBroker().config.change(params.queue, body, { actor: session.actor, requestId });
  },
});
