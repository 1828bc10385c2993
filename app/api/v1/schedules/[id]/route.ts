import { schedulePatchSchema, scheduleReasonSchema } from '@/lib/contract/schedules';
import { scheduleParams } from '@/lib/server/params';
import { route } from '@/lib/server/route';
import { actorOf, changeSchedule, deleteSchedule, getSchedule } from '@/lib/server/schedules';

export const GET = route({
  permission: 'view',
  params: scheduleParams,
  handle: ({ params }) => getSchedule(params.id),
});

export const PATCH = route({
  permission: 'operate',
  params: scheduleParams,
  body: schedulePatchSchema,
  handle: (input) => changeSchedule(input.params.id, input.body, actorOf(input)),
});

export const DELETE = route({
  permission: 'destroy',
  params: scheduleParams,
  body: scheduleReasonSchema,
  handle: (input) => deleteSchedule(input.params.id, actorOf(input)),
});
