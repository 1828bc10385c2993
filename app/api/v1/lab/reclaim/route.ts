import { labRoutes } from '@/lib/contract/api/lab-routes';
import { labEnabled } from '@/lib/server/environment';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(labRoutes.reclaimLab, {
  exists: labEnabled,
  handle: async ({ broker }) => ({ reclaimed: await broker.lab.reclaim() }),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
