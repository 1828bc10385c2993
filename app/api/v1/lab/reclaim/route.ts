import { LAB_QUEUES } from '@/lib/contract/lab';
import { getBroker } from '@/lib/server/broker';
import { requireLab } from '@/lib/server/lab';
import { route } from '@/lib/server/route';

export const POST = route({
  permission: 'lab',
  handle: async () => {
    requireLab();
    let reclaimed = 0;
    for (const queue of Object.keys(LAB_QUEUES)) {
      const { returned, died } = await getBroker().reclaim(queue);
      reclaimed += returned + died;
    }
    return { reclaimed };
  },
});
