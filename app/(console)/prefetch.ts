import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query';
import { keys } from '@/lib/browser/api/query-keys';
import { meOf } from '@/lib/server/authentication/current-user';
import { pageVisit } from '@/lib/server/authentication/page-principal';
import type { Principal } from '@/lib/server/authorization/principal';
import { prefetchSnapshots } from '@/lib/server/live/prefetch-snapshots';

/**
 * The user and the shared snapshot, limited to what the user may see. Needs no extra Redis call. Without a user the browser
 * fetches it.
 */
export async function prefetchState(principal: Principal | null): Promise<DehydratedState> {
  const client = new QueryClient();
  if (principal) client.setQueryData(keys.me(), meOf(principal));
  const frame = await prefetchSnapshots(principal);
  if (frame) client.setQueryData(keys.overview(), frame.overview);
  return dehydrate(client);
}

/** What a page shows besides: every number of these queues, and with `lab` the lab and its workers. */
export async function prefetchPage(
  queues: readonly string[],
  { lab = false } = {},
): Promise<DehydratedState> {
  const client = new QueryClient();
  const frame = await prefetchSnapshots((await pageVisit()).principal, queues);
  for (const queue of frame?.watched ?? [])
    client.setQueryData(keys.queueNumbers(queue.queue), {
      queue,
      at: queue.at,
      fresh: frame?.overview.fresh,
    });
  if (frame && lab) {
    // Null would say that it is switched off, but it is also that to those who may not see it.
    if (frame.lab) client.setQueryData(keys.lab(), frame.lab);
    client.setQueryData(keys.workers(), frame.workers);
  }
  return dehydrate(client);
}
