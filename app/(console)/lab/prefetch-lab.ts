import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query';
import { keys } from '@/lib/browser/api/query-keys';
import { pageVisit } from '@/lib/server/authentication/page-principal';
import { authorizedLab } from '@/lib/server/lab/authorized-lab';
import { readInTime } from '../prefetch-reply';

/** The state of the lab, so that its page shows data before its script runs. Left out where it is late, switched off or refused. */
export async function prefetchLab(): Promise<DehydratedState> {
  const client = new QueryClient();
  const { principal } = await pageVisit();
  const state =
    principal &&
    (await readInTime(principal, () =>
      authorizedLab({ principal, requestId: 'page', idempotencyKey: null }).state(),
    ));
  if (state) client.setQueryData(keys.lab(), state.data);
  return dehydrate(client);
}
