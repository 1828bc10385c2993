import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query';
import { keys } from '@/lib/browser/api/query-keys';
import { meOf } from '@/lib/server/authentication/current-user';
import type { Principal } from '@/lib/server/authorization/principal';
import { prefetchOverview } from '@/lib/server/live/prefetch-overview';

/**
 * The user and the shared snapshot, limited to what the user may see. Needs no extra Redis call. Without a user the browser
 * fetches it.
 */
export async function prefetchState(principal: Principal | null): Promise<DehydratedState> {
  const client = new QueryClient();
  if (principal) client.setQueryData(keys.me(), meOf(principal));
  const overview = await prefetchOverview(principal);
  if (overview) client.setQueryData(keys.overview(), overview);
  return dehydrate(client);
}
