import { labRoutes } from '@/lib/contract/api/lab-routes';
import { labEnabled } from '@/lib/server/environment';
import { authorizedLab } from '@/lib/server/lab/authorized-lab';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(labRoutes.startLabBurst, {
  exists: labEnabled,
  handle: async (input) => {
    await authorizedLab(input).burst(input.body);
    return { enqueued: input.body.jobs };
  },
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
