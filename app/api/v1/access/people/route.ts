import { listPeople } from '@/lib/server/access/people';
import { refuseMethods, route } from '@/lib/server/route';

export const GET = route({
  permission: 'signed-in',
  handle: ({ principal }) => listPeople(principal),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
