import { scheduleRoutes } from '@/lib/contract/api/schedule-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(scheduleRoutes.getSchedule, {
  handle: ({ broker, params }) => broker.schedules.get(params.id),
});

export const PATCH = route(scheduleRoutes.changeSchedule, {
  handle: ({ broker, params, body }) => broker.schedules.change(params.id, body),
});

export const DELETE = route(scheduleRoutes.deleteSchedule, {
  handle: ({ broker, params, body }) => broker.schedules.remove(params.id, body),
});

export const { POST, PUT } = refuseMethods('GET', 'PATCH', 'DELETE');
