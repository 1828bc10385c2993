import { actionRequestSchema } from '@/lib/contract/request-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { scheduleParams } from '@/lib/server/http/path-params';

export const POST = route({
  permission: 'enqueue',
  params: scheduleParams,
  body: actionRequestSchema,
  status: 201,
  handle: ({ broker, params, body }) => broker.schedules.run(params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
