import { labRoutes } from '@/lib/contract/api/lab-routes';
import { labEnabled } from '@/lib/server/environment';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(labRoutes.startLabBurst, {
  exists: labEnabled,
  handle: async ({ broker, body }) => {
    await broker.lab.burst(body);
    return { enqueued: body.jobs };
  },
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
