import { scheduleReasonSchema } from '@/lib/contract/schedules';
import { scheduleParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

export const POST = route({
  permission: 'operate',
  params: scheduleParams,
  body: scheduleReasonSchema,
  handle: ({ broker, params, body }) => broker.schedules.pause(params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
