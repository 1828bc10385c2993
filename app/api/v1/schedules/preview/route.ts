import { schedulePreviewRequestSchema } from '@/lib/contract/schedules';
import { route } from '@/lib/server/route';
import { previewSchedule } from '@/lib/server/schedules';

export const POST = route({
  permission: 'view',
  body: schedulePreviewRequestSchema,
  handle: ({ body }) => previewSchedule(body),
});
