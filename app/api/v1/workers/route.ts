import { refuseMethods, route } from '@/lib/server/http/api-route';

export const GET = route({
  permission: 'view',
  handle: ({ broker }) => broker.live.workers(),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
