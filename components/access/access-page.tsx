'use client';
import { KeyRound, MonitorSmartphone, UsersRound } from 'lucide-react';
import { Callout } from '@/components/ui/callout';
import { NavTabs } from '@/components/ui/nav-tabs';
import { links } from '@/lib/client/links';
import { useMe } from '@/lib/client/use-me';
import { PeoplePanel } from './people-panel';
import { SessionsPanel } from './sessions-panel';
import { TokensPanel } from './tokens-panel';
import { useAccessView } from './use-access-view';

/** Who may come in and do what; and everybody's own tokens and sessions. */
export function AccessPage() {
  const { tab, manages } = useAccessView();
  const known = useMe().data !== undefined;
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
                  value: 'people',
                  label: 'People',
                  href: links.access('people'),
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
          <Callout title="You see your own tokens and sessions only.">
            Those of others, and who may do what, take the permission “access” over everything, which you do
            not have.
          </Callout>
        )}
        {tab === 'people' && <PeoplePanel />}
        {tab === 'tokens' && <TokensPanel />}
        {tab === 'sessions' && <SessionsPanel />}
      </div>
    </>
  );
}
