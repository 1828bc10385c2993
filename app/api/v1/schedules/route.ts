import { pageQuerySchema } from '@/lib/contract/request-schemas';
import { scheduleRequestSchema } from '@/lib/contract/schedules/schedule-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const GET = route({
  permission: 'view',
  query: pageQuerySchema.strict(),
  handle: ({ broker, query }) => broker.schedules.list(query),
});

export const POST = route({
  permission: 'operate',
  body: scheduleRequestSchema,
  status: 201,
  handle: ({ broker, body }) => broker.schedules.create(body),
});

export const { PUT, PATCH, DELETE } = refuseMethods('GET', 'POST');
