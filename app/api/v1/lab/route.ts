import { labSettingsSchema } from '@/lib/contract/lab/lab-schemas';
import { labEnabled } from '@/lib/server/environment';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const GET = route({
  permission: 'view',
  exists: labEnabled,
  handle: ({ broker }) => broker.lab.state(),
});

export const PUT = route({
  permission: 'lab',
  exists: labEnabled,
  body: labSettingsSchema,
  handle: ({ broker, body }) => broker.lab.save(body),
});

export const { POST, PATCH, DELETE } = refuseMethods('GET', 'PUT');
