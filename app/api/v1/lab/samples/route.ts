import { labRoutes } from '@/lib/contract/api/lab-routes';
import { labEnabled } from '@/lib/server/environment';
import { authorizedLab } from '@/lib/server/lab/authorized-lab';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(labRoutes.listLabSamples, {
  exists: labEnabled,
  handle: async (input) => ({ samples: await authorizedLab(input).samples(input.query.after) }),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
