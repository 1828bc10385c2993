import { labRoutes } from '@/lib/contract/api/lab-routes';
import { labEnabled } from '@/lib/server/environment';
import { authorizedLab } from '@/lib/server/lab/authorized-lab';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(labRoutes.getLab, {
  exists: labEnabled,
  handle: (input) => authorizedLab(input).state(),
});

export const PUT = route(labRoutes.setLab, {
  exists: labEnabled,
  handle: (input) => authorizedLab(input).save(input.body),
});

export const { POST, PATCH, DELETE } = refuseMethods('GET', 'PUT');
