import { scheduleReasonSchema } from '@/lib/contract/schedules';
import { scheduleParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

export const POST = route({
  permission: 'enqueue',
  params: scheduleParams,
  body: scheduleReasonSchema,
  status: 201,
  handle: ({ broker, params, body }) => broker.schedules.run(params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
