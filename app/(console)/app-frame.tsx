'use client';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { AuthDialogs } from '@/components/access/auth-dialogs';
import { AccountMenu } from '@/components/account/account-menu';
import { AuthDisabledBanner } from '@/components/account/auth-disabled-banner';
import { OperationsDock } from '@/components/operations/operations-dock';
import { WizardHost } from '@/components/operations/wizard/wizard-host';
import { PauseBanner } from '@/components/queues/pause-banner';
import { AppShell } from '@/components/shell/app-shell';
import { ConnectionBanner } from '@/components/shell/connection-banner';
import { ConnectionSign } from '@/components/shell/connection-sign';
import { Finder } from '@/components/shell/finder/finder';
import type { NavBadges } from '@/components/shell/main-nav';
import { BAR_ITEMS, isOpenTo, PHONE_NAV } from '@/components/shell/nav-items';
import { SavedTables } from '@/components/shell/saved-tables';
import { useOfflineNavigation } from '@/components/shell/use-offline-navigation';
import { lazyPart, usePreloadedParts } from '@/components/ui/lazy-part';
import { ClockProvider } from '@/components/ui/text/clock-provider';
import { useMe } from '@/lib/browser/access/use-me';
import { seesWholeQueues, usePermits } from '@/lib/browser/access/use-permissions';
import { useNotificationsOn } from '@/lib/browser/alerts/notification-choice';
import { LiveProvider, useServerClock } from '@/lib/browser/live/live-provider';
import { useOverviewPart } from '@/lib/browser/live/use-overview';
import { useLiveOperations } from '@/lib/browser/use-live-operations';
import type { ConsoleEnvironment } from '@/lib/contract/environment-colors';
import { isBadResult } from '@/lib/contract/operations/operation-result';
import type { Overview } from '@/lib/contract/queues/queue-schemas';

const AlertWatch = lazyPart(() =>
  import('@/components/alerts/alert-watch').then((module) => module.AlertWatch),
);

interface FrameProps {
  environment: ConsoleEnvironment | null;
  children: ReactNode;
}

/** Connects the shell with live data: clock, connection, pauses and badges. */
export function AppFrame({ environment, children }: FrameProps) {
  return (
    <LiveProvider>
      <ServerTime>
        <SavedTables>
          <WizardHost>
            <Frame environment={environment}>{children}</Frame>
          </WizardHost>
        </SavedTables>
        <AuthDialogs />
      </ServerTime>
    </LiveProvider>
  );
}

function ServerTime({ children }: { children: ReactNode }) {
  return <ClockProvider clock={useServerClock()}>{children}</ClockProvider>;
}

function Frame({ environment, children }: FrameProps) {
  useOfflineNavigation();
  usePreloadedParts(usePathname());
  const may = usePermits();
  return (
    <AppShell
      environment={environment}
      status={<ConnectionSign />}
      badges={useBadges()}
      finder={<Finder />}
      account={<AccountMenu pages={PHONE_NAV.slice(BAR_ITEMS).filter((item) => isOpenTo(item, may))} />}
      dock={<OperationsDock />}
      banner={
        <>
          <AuthDisabledBanner />
          <ConnectionBanner />
          <PauseBanner />
          {useNotificationsOn() && <AlertWatch />}
        </>
      }
    >
      {children}
    </AppShell>
  );
}

const badgesOf = ({ sums: { partial, counts }, alerts }: Overview) => ({
  partial,
  dead: counts.dead,
  alerts,
});

function useBadges(): NavBadges {
  const overview = useOverviewPart(badgesOf);
  const me = useMe().data;
  const seesQueues = me !== undefined && seesWholeQueues(me);
  // An export waits for its download; nothing runs.
  const live = useLiveOperations().filter(({ kind }) => kind !== 'export');
  const running = live.filter(({ status }) => status === 'running').length;
  const waiting = live.filter(({ status }) => status === 'paused' || status === 'awaiting-approval').length;
  const bad = live.filter(isBadResult).length;
  if (!overview) return {};
  const { partial, dead } = overview;
  const { bad: badAlerts, warn: warnings } = overview.alerts;
  const alerts = badAlerts + warnings;
  return {
    ...(alerts > 0 && {
      alerts: {
        value: alerts,
        label: `${words(alerts, 'alert')} firing`,
        tone: badAlerts > 0 ? 'bad' : 'warn',
      },
    }),
    // Users limited to some tenants get no count, which is not zero.
    ...(seesQueues
      ? {
          dead: {
            value: dead,
            label: `${partial ? 'at least ' : ''}${words(dead, 'dead job')}`,
            tone: 'bad' as const,
          },
        }
      : {}),
    ...(bad > 0
      ? {
          operations: {
            value: bad,
            label: `${words(bad, 'operation')} failed, stopped, or re-drove jobs that died again`,
            tone: 'bad',
          },
        }
      : waiting > 0
        ? {
            operations: {
              value: running + waiting,
              label: `${words(waiting, 'operation')} paused or awaiting approval, ${running} running`,
              tone: 'warn',
            },
          }
        : running > 0
          ? {
              operations: { value: running, label: `${words(running, 'operation')} running`, tone: 'accent' },
            }
          : {}),
  };
}

const words = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
