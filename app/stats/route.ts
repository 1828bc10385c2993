import { monitoringRoutes } from '@/lib/contract/api/monitoring-routes';
import { route } from '@/lib/server/http/api-route';

export const dynamic = 'force-dynamic';

/** Depths and totals per queue, flat and small, for scripts and status pages. */
export const GET = route(monitoringRoutes.getStats, {
  handle: async ({ broker, query }) => {
    const overview = await broker.live.whole({ ...query, sort: 'name' });
    return {
      at: overview.at,
      ageMs: overview.ageMs,
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
    };
  },
});
