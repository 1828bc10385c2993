import { scheduleReasonSchema } from '@/lib/contract/schedules';
import { scheduleParams } from '@/lib/server/params';
import { route } from '@/lib/server/route';
import { actorOf, runSchedule } from '@/lib/server/schedules';

export const POST = route({
  permission: 'enqueue',
  params: scheduleParams,
  body: scheduleReasonSchema,
  status: 201,
  handle: (input) => runSchedule(input.params.id, actorOf(input)),
});
