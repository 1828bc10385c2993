import { refuseMethods, route } from '@/lib/server/http/api-route';
import { queueParams } from '@/lib/server/http/path-params';

export const GET = route({
  permission: 'view',
  params: queueParams,
  handle: ({ broker, params }) => broker.live.queue(params.queue),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
