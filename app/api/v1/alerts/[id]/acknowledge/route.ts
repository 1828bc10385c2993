import { alertRoutes } from '@/lib/contract/api/alert-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(alertRoutes.acknowledgeAlert, {
  handle: ({ broker, params, body }) => broker.alerts.acknowledge(params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
