import { accessRoutes } from '@/lib/contract/api/access-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const PUT = route(accessRoutes.setMyTables, {
  records: false,
  handle: ({ broker, body }) => broker.tables.save(body),
});

export const { GET, POST, PATCH, DELETE } = refuseMethods('PUT');
