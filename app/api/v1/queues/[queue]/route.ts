import { queueParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  params: queueParams,
  handle: ({ broker, params }) => broker.live.queue(params.queue),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
