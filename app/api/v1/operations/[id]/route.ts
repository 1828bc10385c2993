import { operationChangeSchema } from '@/lib/contract/operations';
import { getBroker } from '@/lib/server/broker';
import { setGoing } from '@/lib/server/operations';
import { operationParams } from '@/lib/server/params';
import { route } from '@/lib/server/route';
import { actorOf } from '@/lib/server/session';

export const GET = route({
  permission: 'view',
  params: operationParams,
  handle: ({ params }) => getBroker().operations.get(params.id),
});

export const PATCH = route({
  permission: 'operate',
  params: operationParams,
  body: operationChangeSchema,
  handle: async ({ params, body, session, requestId, idempotencyKey }) => {
    const by = actorOf({ session, requestId, idempotencyKey });
    return setGoing(await getBroker().operations.change(params.id, body, by));
  },
});
