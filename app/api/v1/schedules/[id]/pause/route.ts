import { scheduleRoutes } from '@/lib/contract/api/schedule-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(scheduleRoutes.pauseSchedule, {
  handle: ({ broker, params, body }) => broker.schedules.pause(params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
