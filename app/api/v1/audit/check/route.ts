import { refuseMethods, route } from '@/lib/server/http/api-route';

export const GET = route({
  permission: 'audit',
  rate: 'search',
  handle: ({ broker }) => broker.audit.check(),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
