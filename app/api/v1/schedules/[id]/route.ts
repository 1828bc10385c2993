import { schedulePatchSchema, scheduleReasonSchema } from '@/lib/contract/schedules';
import { scheduleParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  params: scheduleParams,
  handle: ({ broker, params }) => broker.schedules.get(params.id),
});

export const PATCH = route({
  permission: 'operate',
  params: scheduleParams,
  body: schedulePatchSchema,
  handle: ({ broker, params, body }) => broker.schedules.change(params.id, body),
});

export const DELETE = route({
  permission: 'destroy',
  params: scheduleParams,
  body: scheduleReasonSchema,
  handle: ({ broker, params, body }) => broker.schedules.remove(params.id, body),
});

export const { POST, PUT } = refuseMethods('GET', 'PATCH', 'DELETE');
