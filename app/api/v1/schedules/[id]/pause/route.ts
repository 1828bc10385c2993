import { actionRequestSchema } from '@/lib/contract/request-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { scheduleParams } from '@/lib/server/http/path-params';

export const POST = route({
  permission: 'operate',
  params: scheduleParams,
  body: actionRequestSchema,
  handle: ({ broker, params, body }) => broker.schedules.pause(params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
