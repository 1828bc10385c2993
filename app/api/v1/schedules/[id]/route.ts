import { actionRequestSchema } from '@/lib/contract/request-schemas';
import { schedulePatchSchema } from '@/lib/contract/schedules/schedule-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { scheduleParams } from '@/lib/server/http/path-params';

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
  body: actionRequestSchema,
  handle: ({ broker, params, body }) => broker.schedules.remove(params.id, body),
});

export const { POST, PUT } = refuseMethods('GET', 'PATCH', 'DELETE');
