import { operationsQuerySchema } from '@/lib/contract/api';
import { operationRequestSchema } from '@/lib/contract/operations';
import { getBroker } from '@/lib/server/broker';
import { requireForPreview, setGoing } from '@/lib/server/operations';
import { route } from '@/lib/server/route';
import { actorOf } from '@/lib/server/session';

export const GET = route({
  permission: 'view',
  query: operationsQuerySchema,
  handle: async ({ query }) => {
    const broker = getBroker();
    const { limit, cursor, ...filter } = query;
    const { operations, nextCursor } = await broker.operations.list(limit, cursor, filter);
    return { at: await broker.now(), operations, nextCursor };
  },
});

export const POST = route({
  permission: 'operate',
  body: operationRequestSchema,
  status: 202,
  handle: async (input) => {
    await requireForPreview(input.session, input.body.previewToken);
    return setGoing(await getBroker().operations.start(input.body, actorOf(input)));
  },
});
