import { labBurstSchema } from '@/lib/contract/lab';
import { labEnabled } from '@/lib/server/lab';
import { refuseMethods, route } from '@/lib/server/route';

export const POST = route({
  permission: 'lab',
  exists: labEnabled,
  body: labBurstSchema,
  status: 202,
  handle: async ({ broker, body }) => {
    await broker.lab.burst(body.jobs);
    return { enqueued: body.jobs };
  },
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
