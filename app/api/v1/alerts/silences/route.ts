import { alertRoutes } from '@/lib/contract/api/alert-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(alertRoutes.silenceAlerts, {
  handle: ({ broker, body }) => broker.alerts.silence(body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
