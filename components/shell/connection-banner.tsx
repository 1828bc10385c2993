'use client';
import { useEffect, useState } from 'react';
import { Banner } from '@/components/ui/callout';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useLiveProblem, useLiveStatus, useNoSeat } from '@/lib/browser/live/live-provider';
import { useOverview, useOverviewPart } from '@/lib/browser/live/use-overview';
import type { Overview } from '@/lib/contract/queues/queue-schemas';

/** Shorter gaps show no notice, which would only move the page; the sign in the header says them at once. */
const PATIENCE_MS = 4_000;

/** Shown when the numbers are not live: console or Redis unreachable, or the stream interrupted. */
export function ConnectionBanner() {
  const status = useLiveStatus();
  const noSeat = useNoSeat();
  const isFresh = useOverviewPart(freshOf);
  const polling = useLasting(status === 'polling', PATIENCE_MS);
  const isOld = useLasting(isFresh === false, PATIENCE_MS);
  if (status === 'offline') return <OfflineBanner />;
  if (isOld) return <RedisBanner />;
  if (!polling) return null;
  if (noSeat === 'taken') {
    return (
      <Banner tone="info" title="Numbers are read every 2 seconds.">
        Other tabs of this browser have its live updates. Close or hide a tab to make this tab live.
      </Banner>
    );
  }
  if (noSeat === 'unfocused') {
    return (
      <Banner tone="info" title="Numbers are read every 2 seconds.">
        This browser blocks storage, so only the tab in use has live updates. Click into this tab to make it
        live.
      </Banner>
    );
  }
  return (
    <Banner tone="warn" title="Live updates are interrupted.">
      Numbers are read every 2 seconds instead. The console keeps trying to reconnect.
    </Banner>
  );
}

const freshOf = ({ fresh }: Overview): boolean => fresh;

function RedisBanner() {
  const overview = useOverview().data;
  return (
    <Banner tone="bad" title="Redis is unreachable.">
      These are the last known numbers, from <RelativeTime at={overview?.at} />
      {overview?.redis.error ? `. ${overview.redis.error}` : '.'}
    </Banner>
  );
}

function OfflineBanner() {
  const at = useOverview().data?.at ?? null;
  const problem = useLiveProblem();
  return (
    <Banner tone="bad" title={problem ?? 'The console cannot be reached.'}>
      {at === null ? (
        'No data yet.'
      ) : (
        <>
          This page shows data from <RelativeTime at={at} />.
        </>
      )}{' '}
      Workers do not need the console. The console is tried again every 2 seconds.
    </Banner>
  );
}

/** True once `on` has been true for a while. */
function useLasting(on: boolean, ms: number): boolean {
  const [lasting, setLasting] = useState(on);
  useEffect(() => {
    if (!on) {
      setLasting(false);
      return;
    }
    const timer = setTimeout(() => setLasting(true), ms);
    return () => clearTimeout(timer);
  }, [on, ms]);
  return lasting;
}
