import { schedulePreviewRequestSchema } from '@/lib/contract/schedules';
import { route } from '@/lib/server/route';

export const POST = route({
  permission: 'view',
  body: schedulePreviewRequestSchema,
  handle: ({ broker, body }) => broker.schedules.preview(body),
});
