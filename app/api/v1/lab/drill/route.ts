import { labRoutes } from '@/lib/contract/api/lab-routes';
import { labEnabled } from '@/lib/server/environment';
import { authorizedLab } from '@/lib/server/lab/authorized-lab';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(labRoutes.controlLabDrill, {
  exists: labEnabled,
  handle: (input) => authorizedLab(input).drill(input.body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
