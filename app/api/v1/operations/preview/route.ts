import { previewRequestSchema } from '@/lib/contract/operations';
import { getBroker } from '@/lib/server/broker';
import { requireForKind, requireQueuesOf } from '@/lib/server/operations';
import { route } from '@/lib/server/route';
import { actorOf } from '@/lib/server/session';

export const POST = route({
  permission: 'operate',
  body: previewRequestSchema,
  handle: async ({ body, session, requestId, idempotencyKey }) => {
    requireForKind(session, body.kind);
    await requireQueuesOf(body);
    return getBroker().operations.preview(body, actorOf({ session, requestId, idempotencyKey }));
  },
});
