'use client';
import type { ReactNode } from 'react';
import { ConnectionBanner } from '@/components/connection/connection-banner';
import { useConnection } from '@/components/connection/use-connection';
import { PauseBanner } from '@/components/pauses/pause-banner';
import { AppShell } from '@/components/shell/app-shell';
import type { NavBadges } from '@/components/shell/nav';
import { NowProvider } from '@/components/ui/now';
import { useServerClock } from '@/lib/client/live';
import { useLiveOperations } from '@/lib/client/use-operations';
import { useOverview } from '@/lib/client/use-overview';

/** Joins the shell with what is live: the server's clock, the connection, the pauses, the counts beside the menu. */
export function AppFrame({ children }: { children: ReactNode }) {
  return (
    <NowProvider clock={useServerClock()}>
      <Frame>{children}</Frame>
    </NowProvider>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <AppShell
      status={useConnection()}
      badges={useBadges()}
      banner={
        <>
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
  const running = useLiveOperations().filter((operation) => operation.status === 'running').length;
  if (!overview) return {};
  const dead = overview.queues.reduce((sum, queue) => sum + queue.counts.dead, 0);
  const partial = overview.queues.some(({ shards }) => shards.unavailable.length > 0);
  return {
    dead: { value: dead, label: `${partial ? 'at least ' : ''}${words(dead, 'dead job')}`, tone: 'bad' },
    ...(running > 0
      ? { operations: { value: running, label: `${words(running, 'operation')} running`, tone: 'accent' } }
      : {}),
  };
}

const words = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
