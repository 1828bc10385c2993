import { alertRoutes } from '@/lib/contract/api/alert-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(alertRoutes.addChannel, {
  handle: ({ broker, body }) => broker.alerts.addChannel(body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
