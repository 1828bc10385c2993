import { refuseMethods, route } from '@/lib/server/http/api-route';
import { workerParams } from '@/lib/server/http/path-params';

export const GET = route({
  permission: 'view',
  params: workerParams,
  handle: ({ broker, params }) => broker.workers.jobs(params.id),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
