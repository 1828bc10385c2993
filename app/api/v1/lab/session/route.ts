import { labRoutes } from '@/lib/contract/api/lab-routes';
import { labEnabled } from '@/lib/server/environment';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(labRoutes.resetLab, {
  exists: labEnabled,
  handle: ({ broker }) => broker.lab.reset(),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
