'use client';
import { useOpenPage } from '@/components/shared/use-open-page';
import { Callout } from '@/components/ui/callout';
import { KeyRound, MonitorSmartphone, UsersRound } from '@/components/ui/icons';
import { NavTabs } from '@/components/ui/nav-tabs';
import { DataAge } from '@/components/ui/text/relative-time';
import { usePageActions } from '@/components/ui/use-page-actions';
import { useSessionsPage, useTokens, useUsers } from '@/lib/browser/access/use-access';
import { useMe } from '@/lib/browser/access/use-me';
import { links } from '@/lib/browser/links';
import { SessionsPanel } from './sessions-panel';
import { TokensPanel } from './tokens-panel';
import { useAccessView } from './use-access-view';
import { UsersPanel } from './users-panel';

/** Users with their roles, API tokens and sessions. */
export function AccessPage() {
  const { tab, manages } = useAccessView();
  const known = useMe().data !== undefined;
  const openPage = useOpenPage();
  // The tab of the tokens has the button itself.
  usePageActions(
    known && tab !== 'tokens'
      ? [{ label: 'New token', run: () => openPage(links.access('tokens', { dialog: 'new-token' })) }]
      : [],
  );
  return (
    <>
      <NavTabs
        label="Access"
        className="mx-4 mb-3 max-sm:mx-2"
        value={tab}
        items={[
          ...(manages
            ? [
                {
                  value: 'users',
                  label: 'Users',
                  href: links.access('users'),
                  icon: <UsersRound aria-hidden />,
                },
              ]
            : []),
          {
            value: 'tokens',
            label: 'API tokens',
            href: links.access('tokens'),
            icon: <KeyRound aria-hidden />,
          },
          {
            value: 'sessions',
            label: 'Sessions',
            href: links.access('sessions'),
            icon: <MonitorSmartphone aria-hidden />,
          },
        ]}
      />
      <div className="space-y-3 px-4 pb-6 max-sm:px-2">
        {known && !manages && (
          <Callout title="You see only your own tokens and sessions.">
            To see other users, their tokens and sessions, you need the permission “access” for all queues and
            tenants.
          </Callout>
        )}
        {tab === 'users' && <UsersPanel />}
        {tab === 'tokens' && <TokensPanel />}
        {tab === 'sessions' && <SessionsPanel />}
      </div>
    </>
  );
}

const STALE_AFTER_MS = 25_000;

export function AccessAge() {
  const { tab, all, manages } = useAccessView();
  if (tab === 'tokens') return <TokensAge all={all} />;
  if (tab === 'sessions') return <SessionsAge all={all} />;
  return <UsersAge enabled={manages} />;
}

const UsersAge = ({ enabled }: { enabled: boolean }) => (
  <DataAge at={useUsers(enabled).data?.at} staleAfterMs={STALE_AFTER_MS} />
);
const TokensAge = ({ all }: { all: boolean }) => (
  <DataAge at={useTokens(all).data?.at} staleAfterMs={STALE_AFTER_MS} />
);
const SessionsAge = ({ all }: { all: boolean }) => (
  <DataAge at={useSessionsPage(all).data?.at} staleAfterMs={STALE_AFTER_MS} />
);
