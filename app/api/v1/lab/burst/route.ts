import { labBurstSchema } from '@/lib/contract/lab/lab-schemas';
import { labEnabled } from '@/lib/server/environment';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const POST = route({
  permission: 'lab',
  exists: labEnabled,
  body: labBurstSchema,
  status: 202,
  handle: async ({ broker, body }) => {
    await broker.lab.burst(body);
    return { enqueued: body.jobs };
  },
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
