import { reasonOnlySchema } from '@/lib/contract/access/access-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { jobParams } from '@/lib/server/http/path-params';

/** A POST, though it changes no job: it writes an audit event, and caches must not store its response. */
export const POST = route({
  permission: 'unmask',
  params: jobParams,
  body: reasonOnlySchema,
  handle: ({ broker, params, body }) => broker.unmask.job(params.queue, params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
