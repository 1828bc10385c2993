import { undoRequestSchema } from '@/lib/contract/operations';
import { getBroker } from '@/lib/server/broker';
import { setGoing } from '@/lib/server/operations';
import { operationParams } from '@/lib/server/params';
import { route } from '@/lib/server/route';
import { actorOf } from '@/lib/server/session';

export const POST = route({
  permission: 'operate',
  params: operationParams,
  body: undoRequestSchema,
  status: 202,
  handle: async (input) => {
    return setGoing(await getBroker().operations.undo(input.params.id, input.body, actorOf(input)));
  },
});
