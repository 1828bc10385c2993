import { refuseMethods, route } from '@/lib/server/http/api-route';
import { queueParams } from '@/lib/server/http/path-params';

/** Who the jobs of a queue are of. A few short scripts a call: limited as searches are. */
export const GET = route({
  permission: 'view',
  rate: 'search',
  params: queueParams,
  handle: ({ broker, params }) => broker.queues.breakdown(params.queue),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
