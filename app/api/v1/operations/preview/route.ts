import { previewRequestSchema } from '@/lib/contract/operations/operation-request';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const POST = route({
  permission: 'operate',
  rate: 'search',
  body: previewRequestSchema,
  handle: ({ broker, body }) => broker.operations.preview(body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
