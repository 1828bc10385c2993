import { configPatchSchema } from '@/lib/contract/queues/queue-config';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { queueParams } from '@/lib/server/http/path-params';

export const GET = route({
  permission: 'view',
  params: queueParams,
  handle: ({ broker, params }) => broker.queues.config(params.queue),
});

/** Changes the given settings only. `ifRevision` refuses to overwrite another user's change. */
export const PATCH = route({
  permission: 'operate',
  params: queueParams,
  body: configPatchSchema,
  handle: ({ broker, params, body }) => broker.queues.changeConfig(params.queue, body),
});

export const { POST, PUT, DELETE } = refuseMethods('GET', 'PATCH');
