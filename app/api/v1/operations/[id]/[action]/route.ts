import { actionRequestSchema } from '@/lib/contract/api';
import { getBroker } from '@/lib/server/broker';
import { requireForAction, setGoing } from '@/lib/server/operations';
import { operationActionParams } from '@/lib/server/params';
import { route } from '@/lib/server/route';
import { actorOf } from '@/lib/server/session';

export const POST = route({
  permission: 'operate',
  params: operationActionParams,
  body: actionRequestSchema,
  handle: async (input) => {
    const { id, action } = input.params;
    await requireForAction(input.session, id, action);
    return setGoing(await getBroker().operations.act(id, action, actorOf(input), input.body.reason));
  },
});
