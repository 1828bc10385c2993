import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query';
import { headers } from 'next/headers';
import { keys } from '@/lib/client/keys';
import { prefetchOverview } from '@/lib/server/prefetch';
import { isOwnHost } from '@/lib/server/session';

/** What every page shows at once: the snapshot all viewers share, rendered on the server. Costs Redis nothing extra. */
export async function prefetchState(): Promise<DehydratedState> {
  const client = new QueryClient();
  // The API refuses a foreign Host; a page must not tell it what the API would not.
  const overview = isOwnHost((await headers()).get('host')) ? await prefetchOverview() : null;
  if (overview) client.setQueryData(keys.overview(), overview);
  return dehydrate(client);
}
