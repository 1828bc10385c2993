import { listUsers } from '@/lib/server/authentication/users/user-access';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const GET = route({
  permission: 'signed-in',
  handle: ({ principal }) => listUsers(principal),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
