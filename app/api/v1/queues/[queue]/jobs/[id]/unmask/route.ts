import { reasonOnlySchema } from '@/lib/contract/access';
import { jobParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

/** A POST, though it changes no job: it leaves a record, and its answer is kept nowhere. */
export const POST = route({
  permission: 'unmask',
  params: jobParams,
  body: reasonOnlySchema,
  handle: ({ broker, params, body }) => broker.unmask.job(params.queue, params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
