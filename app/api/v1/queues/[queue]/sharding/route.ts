import { shardingSchema } from '@/lib/contract/queues/queue-config';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { queueParams } from '@/lib/server/http/path-params';

/** Spreads the queue over more shards, or by another rule, while it holds no job. Answers with its settings. */
export const PUT = route({
  permission: 'operate',
  params: queueParams,
  body: shardingSchema,
  handle: ({ broker, params, body }) => broker.queues.setSharding(params.queue, body),
});

export const { GET, POST, PATCH, DELETE } = refuseMethods('PUT');
