import { pageQuerySchema } from '@/lib/contract/api';
import { operationRequestSchema } from '@/lib/contract/operations';
import { getBroker } from '@/lib/server/broker';
import { getBulkRunner } from '@/lib/server/bulk-runner';
import { requireQueue } from '@/lib/server/params';
import { route } from '@/lib/server/route';
import { requirePermission } from '@/lib/server/session';

export const GET = route({
  permission: 'view',
  query: pageQuerySchema.strict(),
  handle: async ({ query }) => {
    const broker = getBroker();
    const { operations, nextCursor } = await broker.operations.list(query.limit, query.cursor);
    return { at: await broker.now(), operations, nextCursor };
  },
});

export const POST = route({
  permission: 'operate',
  body: operationRequestSchema,
  status: 202,
  handle: async ({ body, session, requestId, idempotencyKey }) => {
    if (body.kind === 'purge') requirePermission(session, 'destroy');
    for (const queue of new Set([body.filter?.queue, ...(body.jobs ?? []).map((job) => job.queue)]))
      if (queue !== undefined) await requireQueue(queue);
    const operation = await getBroker().operations.start({
      kind: body.kind,
      filter: body.filter,
      jobs: body.jobs,
      cutoff: body.cutoff,
      by: { actor: session.actor, reason: body.reason, requestId: idempotencyKey ?? requestId },
    });
    // Ticked jobs are few: they are done before the answer. A filter is worked off in the background.
    if (body.jobs) return getBulkRunner().finish(operation);
    if (operation.status === 'running') getBulkRunner().run(operation.id);
    return operation;
  },
});
