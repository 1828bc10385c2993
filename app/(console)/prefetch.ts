import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query';
import { keys } from '@/lib/client/keys';
import { meOf } from '@/lib/server/access/me';
import type { Principal } from '@/lib/server/access/principal';
import { prefetchOverview } from '@/lib/server/prefetch';

/**
 * What every page shows at once: who looks at it, and the snapshot that viewers share, cut to what they may see. Costs Redis nothing
 * extra. Of nobody nothing is known: the page asks for it in the browser, and says meanwhile that it cannot be had.
 */
export async function prefetchState(principal: Principal | null): Promise<DehydratedState> {
  const client = new QueryClient();
  if (principal) client.setQueryData(keys.me(), meOf(principal));
  const overview = await prefetchOverview(principal);
  if (overview) client.setQueryData(keys.overview(), overview);
  return dehydrate(client);
}
