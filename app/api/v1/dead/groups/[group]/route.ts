import { groupChangeSchema } from '@/lib/contract/dead';
import { getBroker } from '@/lib/server/broker';
import { groupParams } from '@/lib/server/params';
import { route } from '@/lib/server/route';
import { actorOf } from '@/lib/server/session';

export const GET = route({
  permission: 'view',
  params: groupParams,
  handle: ({ params }) => getBroker().inspect.group(params.group),
});

export const PATCH = route({
  permission: 'operate',
  params: groupParams,
  body: groupChangeSchema,
  handle: ({ params, body, session, requestId, idempotencyKey }) =>
    getBroker().groups.change(params.group, body, actorOf({ session, requestId, idempotencyKey })),
});
