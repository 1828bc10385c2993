import { labRoutes } from '@/lib/contract/api/lab-routes';
import { labEnabled } from '@/lib/server/environment';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(labRoutes.getLab, {
  exists: labEnabled,
  handle: ({ broker }) => broker.lab.state(),
});

export const PUT = route(labRoutes.setLab, {
  exists: labEnabled,
  handle: ({ broker, body }) => broker.lab.save(body),
});

export const { POST, PATCH, DELETE } = refuseMethods('GET', 'PUT');
