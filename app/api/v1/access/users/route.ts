import { accessRoutes } from '@/lib/contract/api/access-routes';
import { listUsers } from '@/lib/server/access/user-access';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(accessRoutes.listUsers, {
  handle: ({ principal }) => listUsers(principal),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
