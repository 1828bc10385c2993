import { scheduleRoutes } from '@/lib/contract/api/schedule-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(scheduleRoutes.previewSchedule, {
  handle: ({ broker, body }) => broker.schedules.preview(body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
