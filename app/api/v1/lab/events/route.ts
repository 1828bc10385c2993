import { labRoutes } from '@/lib/contract/api/lab-routes';
import { labEnabled } from '@/lib/server/environment';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(labRoutes.listLabEvents, {
  exists: labEnabled,
  handle: ({ broker, query }) => broker.lab.events(query.after),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
