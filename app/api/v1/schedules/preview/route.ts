import { schedulePreviewRequestSchema } from '@/lib/contract/schedules/schedule-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const POST = route({
  permission: 'view',
  body: schedulePreviewRequestSchema,
  handle: ({ broker, body }) => broker.schedules.preview(body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
