import { previewRequestSchema } from '@/lib/contract/operations';
import { route } from '@/lib/server/route';

export const POST = route({
  permission: 'operate',
  rate: 'search',
  body: previewRequestSchema,
  handle: ({ broker, body }) => broker.operations.preview(body),
});
