import { labDrillRequestSchema } from '@/lib/contract/lab/lab-schemas';
import { labEnabled } from '@/lib/server/environment';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const POST = route({
  permission: 'lab',
  exists: labEnabled,
  body: labDrillRequestSchema,
  handle: ({ broker, body }) => broker.lab.drill(body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
