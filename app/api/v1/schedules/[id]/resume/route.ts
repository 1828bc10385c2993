import { scheduleReasonSchema } from '@/lib/contract/schedules';
import { scheduleParams } from '@/lib/server/params';
import { route } from '@/lib/server/route';
import { actorOf, resumeSchedule } from '@/lib/server/schedules';

export const POST = route({
  permission: 'operate',
  params: scheduleParams,
  body: scheduleReasonSchema,
  handle: (input) => resumeSchedule(input.params.id, actorOf(input)),
});
