import type { DehydratedState } from '@tanstack/react-query';
import { AccessAge, AccessPage } from '@/components/access/access-page';
import { PageHeader } from '@/components/shell/page-header';
import { Prefetched } from '@/lib/browser/api/hydration';
import { keys } from '@/lib/browser/api/query-keys';
import { isFullScope } from '@/lib/contract/access/grant-scopes';
import { listTokens } from '@/lib/server/access/api-tokens';
import { listUsers } from '@/lib/server/access/user-access';
import { pageVisit } from '@/lib/server/authentication/page-principal';
import { scopeOf } from '@/lib/server/authentication/principal';
import { type ListProps, prefetchList } from '../prefetch-reply';

export const metadata = { title: 'Access' };

export default async function Page(props: ListProps) {
  return (
    <Prefetched state={await firstTab(props)}>
      <PageHeader title="Access" age={<AccessAge />} />
      <AccessPage />
    </Prefetched>
  );
}

/** Users, for those who manage them; else the user's own tokens. */
async function firstTab(props: ListProps): Promise<DehydratedState> {
  const { principal } = await pageVisit();
  return principal && isFullScope(scopeOf(principal, 'access'))
    ? prefetchList(props, keys.users(), (_, viewer) => listUsers(viewer))
    : prefetchList(props, keys.tokensPage(false), (_, viewer) => listTokens(viewer, false));
}
