import { z } from 'zod';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { searchParams } from '@/lib/server/http/path-params';

export const DELETE = route({
  permission: 'view',
  rate: 'saved-search',
  params: searchParams,
  body: z.strictObject({}),
  handle: async ({ broker, params }) => {
    await broker.searches.remove(params.id);
    return { id: params.id, deleted: true };
  },
});

export const { GET, POST, PUT, PATCH } = refuseMethods('DELETE');
