import { scheduleRoutes } from '@/lib/contract/api/schedule-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(scheduleRoutes.listSchedules, {
  handle: ({ broker, query }) => broker.schedules.list(query),
});

export const POST = route(scheduleRoutes.createSchedule, {
  handle: ({ broker, body }) => broker.schedules.create(body),
});

export const { PUT, PATCH, DELETE } = refuseMethods('GET', 'POST');
