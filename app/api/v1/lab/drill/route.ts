import { labRoutes } from '@/lib/contract/api/lab-routes';
import { labEnabled } from '@/lib/server/environment';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(labRoutes.controlLabDrill, {
  exists: labEnabled,
  handle: ({ broker, body }) => broker.lab.drill(body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
