'use client';
import { useEffect, useState } from 'react';
import { Banner } from '@/components/ui/callout';
import { useNow } from '@/components/ui/text/clock-provider';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useLiveProblem, useLiveStatus, useNoSeat } from '@/lib/browser/live/live-provider';
import { useOverview } from '@/lib/browser/live/use-overview';

/** Shorter gaps show no notice, which would only move the page; the sign in the header says them at once. */
const PATIENCE_MS = 4_000;

/** Shown when the numbers are not live: console or Redis unreachable, or the stream interrupted. */
export function ConnectionBanner() {
  const status = useLiveStatus();
  const noSeat = useNoSeat();
  const overview = useOverview().data;
  const polling = useLasting(status === 'polling', PATIENCE_MS);
  const isOld = useLasting(overview?.fresh === false, PATIENCE_MS);
  if (status === 'offline') return <OfflineBanner at={overview?.at ?? null} />;
  if (overview && isOld) {
    return (
      <Banner tone="bad" title="Redis is unreachable.">
        These are the last known numbers, from <RelativeTime at={overview.at} />
        {overview.redis.error ? `. ${overview.redis.error}` : '.'}
      </Banner>
    );
  }
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

function OfflineBanner({ at }: { at: number | null }) {
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

export type ConnectionKind = 'live' | 'polling' | 'offline';

/** The connection's kind and the age of the data, for the header. */
export function useConnection(): { kind: ConnectionKind; ageMs: number | null } {
  const status = useLiveStatus();
  const overview = useOverview().data;
  const now = useNow();
  const ageMs = overview ? Math.max(0, now - overview.at) : null;
  // Old numbers are not live, even if the stream carries them.
  if (overview && !overview.fresh) return { kind: 'offline', ageMs };
  // A stream still being opened is not live either.
  return { kind: status === 'connecting' ? 'polling' : status, ageMs };
}
