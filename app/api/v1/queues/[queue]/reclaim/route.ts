import { getBroker } from '@/lib/server/broker';
import { queueParams, requireQueue } from '@/lib/server/params';
import { route } from '@/lib/server/route';

export const POST = route({
  permission: 'operate',
  params: queueParams,
  handle: async ({ params }) => {
    await requireQueue(params.queue);
    const { returned, died } = await getBroker().reclaim(params.queue);
    return { reclaimed: returned + died };
  },
});
