import { monitoringRoutes } from '@/lib/contract/api/monitoring-routes';
import { jsonBytes, route } from '@/lib/server/routes/api-route';

export const dynamic = 'force-dynamic';

/** Depths and totals per queue, flat and small, for scripts and status pages. */
export const GET = route(monitoringRoutes.getStats, {
  handle: async ({ broker, query, requestId }) =>
    jsonBytes(
      await broker.live.whole({ ...query, sort: 'name' }, (overview) => ({
        at: overview.at,
        fresh: overview.fresh,
        verdict: overview.verdict.level,
        total: overview.total,
        unread: overview.unread,
        oldestAt: overview.oldestAt,
        nextCursor: overview.nextCursor,
        queues: Object.fromEntries(
          overview.queues.map((q) => [
            q.queue,
            {
              at: q.at,
              ...q.counts,
              oldestReadyAgeMs: q.oldestReadyAgeMs,
              totals: q.totals,
              ledger: q.ledger,
              workers: q.workers,
              draining: q.draining,
              depth: q.depth,
              shards: q.shards,
            },
          ]),
        ),
      })),
      requestId,
    ),
});
