import { markRequestSchema } from '@/lib/contract/history/history-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';

/** A mark in the charts, such as a deploy: see docs/history.md. */
export const POST = route({
  permission: 'operate',
  body: markRequestSchema,
  status: 201,
  handle: ({ broker, body }) => broker.history.mark(body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
