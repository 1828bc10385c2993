import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query';
import { keys } from '@/lib/client/keys';
import { prefetchOverview } from '@/lib/server/prefetch';

/** What every page shows at once: the snapshot all viewers share, rendered on the server. Costs Redis nothing extra. */
export async function prefetchState(): Promise<DehydratedState> {
  const client = new QueryClient();
  const overview = await prefetchOverview();
  if (overview) client.setQueryData(keys.overview(), overview);
  return dehydrate(client);
}
