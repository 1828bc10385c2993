import { labRoutes } from '@/lib/contract/api/lab-routes';
import { labEnabled } from '@/lib/server/environment';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(labRoutes.listLabSamples, {
  exists: labEnabled,
  handle: async ({ broker, query }) => ({ samples: await broker.lab.samples(query.after) }),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
