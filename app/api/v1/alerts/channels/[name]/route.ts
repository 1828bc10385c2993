import { alertRoutes } from '@/lib/contract/api/alert-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const PATCH = route(alertRoutes.changeChannel, {
  handle: ({ broker, params, body }) => broker.alerts.changeChannel(params.name, body),
});

export const DELETE = route(alertRoutes.removeChannel, {
  handle: async ({ broker, params, body }) => {
    await broker.alerts.removeChannel(params.name, body);
    return { id: params.name, deleted: true as const };
  },
});

export const { GET, POST, PUT } = refuseMethods('PATCH', 'DELETE');
