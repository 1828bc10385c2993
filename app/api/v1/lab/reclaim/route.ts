import { labEnabled } from '@/lib/server/lab';
import { route } from '@/lib/server/route';

export const POST = route({
  permission: 'lab',
  exists: labEnabled,
  handle: async ({ broker }) => ({ reclaimed: await broker.lab.reclaim() }),
});
