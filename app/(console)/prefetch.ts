import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query';
import { keys } from '@/lib/browser/api/query-keys';
import { queueView } from '@/lib/browser/live/queue-view';
import { LIVE_STATUSES } from '@/lib/contract/workers/worker-limits';
import type { WorkersPage } from '@/lib/contract/workers/worker-schemas';
import { meOf } from '@/lib/server/access/current-user';
import { pageVisit } from '@/lib/server/authentication/page-principal';
import type { Principal } from '@/lib/server/authentication/principal';
import { firstScreen } from '@/lib/server/live/first-screen';
import { prefetchSnapshots } from '@/lib/server/live/prefetch-snapshots';
import { readInTime } from './prefetch-reply';

/**
 * The user and the first screen of the shared snapshot, limited to what the user may see. Needs one Redis call, for the user's settings of
 * tables. Without a user the browser fetches it.
 */
export async function prefetchState(principal: Principal | null): Promise<DehydratedState> {
  const client = new QueryClient();
  const [frame, tables] = await Promise.all([
    prefetchSnapshots(principal),
    principal && readInTime(principal, (broker) => broker.tables.get()),
  ]);
  // The browser asks again for what was late: the tables keep their columns until then.
  if (principal)
    client.setQueryData(
      keys.me(),
      meOf(principal, tables?.data ?? null),
      tables ? undefined : { updatedAt: 0 },
    );
  if (frame) client.setQueryData(keys.overview(), firstScreen(frame.overview));
  return dehydrate(client);
}

/** With more workers the first screen of their page is full of placeholders, and their data would be most of the page. */
const FIRST_WORKERS = 20;

const firstLiveOf = (page: WorkersPage): WorkersPage => ({
  ...page,
  workers: page.workers.filter(({ status }) => LIVE_STATUSES.has(status)).slice(0, FIRST_WORKERS),
});

/** What a page shows besides: every number of these queues, and the workers: all where they are few, else the live ones. */
export async function prefetchPage(
  queues: readonly string[],
  { workers }: { workers?: 'few' | 'live' } = {},
): Promise<DehydratedState> {
  const client = new QueryClient();
  const frame = await prefetchSnapshots((await pageVisit()).principal, queues);
  for (const queue of frame?.watched ?? [])
    client.setQueryData(keys.queueNumbers(queue.queue), queueView(queue, frame?.overview.fresh ?? false));
  if (frame && workers === 'few' && frame.workers.workers.length <= FIRST_WORKERS)
    client.setQueryData(keys.workers(), frame.workers);
  // The stream brings the others, of which a crash storm makes hundreds.
  if (frame && workers === 'live')
    client.setQueryData(keys.workers(), firstLiveOf(frame.workers), { updatedAt: 0 });
  return dehydrate(client);
}
