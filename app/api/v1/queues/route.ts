import { refuseMethods, route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  handle: ({ broker }) => broker.live.overview(),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
