import { queueParams } from '@/lib/server/params';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  params: queueParams,
  handle: ({ broker, params }) => broker.live.queue(params.queue),
});
