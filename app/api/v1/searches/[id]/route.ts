import { z } from 'zod';
import { searchParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

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
