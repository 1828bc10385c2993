import { labSamplesQuerySchema } from '@/lib/contract/lab/lab-schemas';
import { labEnabled } from '@/lib/server/environment';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const GET = route({
  permission: 'view',
  exists: labEnabled,
  query: labSamplesQuerySchema,
  handle: async ({ broker, query }) => ({ samples: await broker.lab.samples(query.after) }),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
