import { configPatchSchema } from '@/lib/contract/config';
import { queueParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  params: queueParams,
  handle: ({ broker, params }) => broker.queues.config(params.queue),
});

/** Only the settings named change. `ifRevision` refuses a change made over somebody else's. */
export const PATCH = route({
  permission: 'operate',
  params: queueParams,
  body: configPatchSchema,
  handle: ({ broker, params, body }) => broker.queues.changeConfig(params.queue, body),
});

export const { POST, PUT, DELETE } = refuseMethods('GET', 'PATCH');
