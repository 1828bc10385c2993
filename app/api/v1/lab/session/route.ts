import { labRoutes } from '@/lib/contract/api/lab-routes';
import { labEnabled } from '@/lib/server/environment';
import { authorizedLab } from '@/lib/server/lab/authorized-lab';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(labRoutes.resetLab, {
  exists: labEnabled,
  handle: (input) => authorizedLab(input).reset(),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
