import { route } from '@/lib/server/route';

export const dynamic = 'force-dynamic';

/** Depths and totals per queue, flat and small, for scripts and status pages. */
export const GET = route({
  permission: 'view',
  handle: async ({ broker }) => {
    const overview = await broker.live.whole();
    return {
      at: overview.at,
      ageMs: overview.ageMs,
      fresh: overview.fresh,
      verdict: overview.verdict.level,
      queues: Object.fromEntries(
        overview.queues.map((q) => [
          q.queue,
          {
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
