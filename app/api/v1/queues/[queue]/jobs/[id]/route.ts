import { refuseMethods, route } from '@/lib/server/http/api-route';
import { jobParams } from '@/lib/server/http/path-params';

export const GET = route({
  permission: 'view',
  params: jobParams,
  handle: ({ broker, params }) => broker.jobs.get(params.queue, params.id),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
