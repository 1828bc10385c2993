'use client';
/** While the console cannot be reached, opening a page must not end in the browser's own error page: the page on show stays. */
import type { Route } from 'next';
import { useRouter } from 'next/navigation';
import { useCallback } from 'react';
import { toast } from '@/components/ui/overlays/toast';
import { addressOf } from '@/lib/browser/base-path';
import { useLiveStatus } from '@/lib/browser/live/live-provider';

const PROBE_MS = 3_000;

/** Opens a page of the console: at once while frames arrive, otherwise once the console has answered a request. */
export function useOpenPage(): (path: string) => void {
  const router = useRouter();
  const isLive = useLiveStatus() === 'live';
  return useCallback(
    (path) => {
      // A stream may stay open for a moment after the network is gone.
      if (isLive && navigator.onLine) return router.push(path as Route);
      void isReachable().then((isThere) => {
        if (isThere) router.push(path as Route);
        else
          toast.error('The page was not opened', {
            description: 'The console cannot be reached. This page stays; try again when it is back.',
          });
      });
    },
    [router, isLive],
  );
}

async function isReachable(): Promise<boolean> {
  try {
    const response = await fetch(addressOf('/healthz'), {
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_MS),
    });
    return response.ok;
  } catch {
    return false;
  }
}
