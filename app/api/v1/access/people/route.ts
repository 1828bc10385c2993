import { listPeople } from '@/lib/server/access/people';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'signed-in',
  handle: ({ principal }) => listPeople(principal),
});
