'use client';
import { useEffect, useState } from 'react';
import { Banner } from '@/components/ui/callout';
import { RelativeTime } from '@/components/ui/relative-time';
import { useLive, useLiveStatus } from '@/lib/client/live';
import { useOverview } from '@/lib/client/use-overview';

/** Short gaps heal by themselves; a notice that comes and goes would only move the page. */
const PATIENCE_MS = 4_000;

/** Says so when the numbers are not live: the console is out of reach, Redis is, or the stream is interrupted. */
export function ConnectionBanner() {
  const status = useLiveStatus();
  const overview = useOverview().data;
  const polling = useLasting(status === 'polling', PATIENCE_MS);
  if (status === 'offline') return <OfflineBanner at={overview?.at ?? null} />;
  if (overview && !overview.fresh) {
    return (
      <Banner tone="bad" title="Redis cannot be read.">
        These are the last known numbers, from <RelativeTime at={overview.at} />
        {overview.redis.error ? `. ${overview.redis.error}` : '.'}
      </Banner>
    );
  }
  if (!polling) return null;
  return (
    <Banner tone="warn" title="Live updates are interrupted.">
      Numbers are read every 2 seconds instead; the live stream is tried again by itself.
    </Banner>
  );
}

function OfflineBanner({ at }: { at: number | null }) {
  const { problem } = useLive();
  return (
    <Banner tone="bad" title={problem ?? 'The console cannot be reached.'}>
      {at === null ? (
        'There is nothing to show yet.'
      ) : (
        <>
          What you see is from <RelativeTime at={at} />.
        </>
      )}{' '}
      Your workers run without the console; it is asked again every 2 seconds.
    </Banner>
  );
}

/** True once `on` has been true for a while. */
function useLasting(on: boolean, ms: number): boolean {
  const [lasting, setLasting] = useState(false);
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
