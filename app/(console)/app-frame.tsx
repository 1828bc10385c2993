'use client';
import type { ReactNode } from 'react';
import { PersonDialogs } from '@/components/access/person-dialogs';
import { AccountMenu } from '@/components/account/account-menu';
import { OpenDoorBanner } from '@/components/account/open-door-banner';
import { ConnectionBanner } from '@/components/connection/connection-banner';
import { useConnection } from '@/components/connection/use-connection';
import { LiveCards } from '@/components/operations/live-cards';
import { PauseBanner } from '@/components/pauses/pause-banner';
import { AppShell } from '@/components/shell/app-shell';
import type { NavBadges } from '@/components/shell/nav';
import { NowProvider } from '@/components/ui/now';
import { WizardHost } from '@/components/wizard/wizard-host';
import { LiveProvider, useServerClock } from '@/lib/client/live';
import { seesWholeQueues } from '@/lib/client/permissions';
import { useMe } from '@/lib/client/use-me';
import { useLiveOperations } from '@/lib/client/use-operations';
import { useOverview } from '@/lib/client/use-overview';

/** Joins the shell with what is live: the server's clock, the connection, the pauses, the counts beside the menu. */
export function AppFrame({ children }: { children: ReactNode }) {
  return (
    <LiveProvider>
      <ServerTime>
        <WizardHost>
          <Frame>{children}</Frame>
        </WizardHost>
        <PersonDialogs />
      </ServerTime>
    </LiveProvider>
  );
}

function ServerTime({ children }: { children: ReactNode }) {
  return <NowProvider clock={useServerClock()}>{children}</NowProvider>;
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <AppShell
      status={useConnection()}
      badges={useBadges()}
      account={<AccountMenu />}
      dock={<LiveCards />}
      banner={
        <>
          <OpenDoorBanner />
          <ConnectionBanner />
          <PauseBanner />
        </>
      }
    >
      {children}
    </AppShell>
  );
}

function useBadges(): NavBadges {
  const overview = useOverview().data;
  const me = useMe().data;
  const seesQueues = me !== undefined && seesWholeQueues(me);
  // An export only waits to be fetched: nothing of it runs.
  const live = useLiveOperations().filter(({ kind }) => kind !== 'export');
  const running = live.filter(({ status }) => status === 'running').length;
  const waiting = live.filter(({ status }) => status === 'paused' || status === 'awaiting-approval').length;
  if (!overview) return {};
  const {
    partial,
    counts: { dead },
  } = overview.sums;
  return {
    // Who sees only some tenants sees no count of whole queues: none is not nought.
    ...(seesQueues
      ? {
          dead: {
            value: dead,
            label: `${partial ? 'at least ' : ''}${words(dead, 'dead job')}`,
            tone: 'bad' as const,
          },
        }
      : {}),
    ...(waiting > 0
      ? {
          operations: {
            value: running + waiting,
            label: `${words(waiting, 'operation')} paused or awaiting approval, ${running} running`,
            tone: 'warn',
          },
        }
      : running > 0
        ? { operations: { value: running, label: `${words(running, 'operation')} running`, tone: 'accent' } }
        : {}),
  };
}

const words = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
