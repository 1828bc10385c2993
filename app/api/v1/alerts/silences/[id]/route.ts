import { alertRoutes } from '@/lib/contract/api/alert-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const DELETE = route(alertRoutes.removeSilence, {
  handle: async ({ broker, params, body }) => {
    await broker.alerts.unsilence(params.id, body);
    return { id: params.id, deleted: true as const };
  },
});

export const { GET, POST, PUT, PATCH } = refuseMethods('DELETE');
