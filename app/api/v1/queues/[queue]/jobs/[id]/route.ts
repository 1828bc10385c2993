import { getBroker } from '@/lib/server/broker';
import { jobParams, requireQueue } from '@/lib/server/params';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  params: jobParams,
  handle: async ({ params }) => {
    await requireQueue(params.queue);
    return getBroker().inspect.job(params.queue, params.id);
  },
});
