import { z } from 'zod';
import { getBroker } from '@/lib/server/broker';
import { searchParams } from '@/lib/server/params';
import { route } from '@/lib/server/route';

export const DELETE = route({
  permission: 'view',
  params: searchParams,
  body: z.strictObject({}),
  handle: async ({ params, session }) => {
    await getBroker().searches.remove(params.id, session.actor);
    return { id: params.id, deleted: true };
  },
});
