'use client';
/** While the console cannot be reached, a click on a link must not end in the browser's own error page: the page on show stays. */
import type { Route } from 'next';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { toast } from '@/components/ui/overlays/toast';
import { useLiveStatus } from '@/lib/browser/live/live-provider';

const PROBE_MS = 3_000;

/** Mount once. Links work as usual while frames arrive; else the console is asked first whether it is there. */
export function useOfflineNavigation(): void {
  const router = useRouter();
  const status = useLiveStatus();
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      // A stream may stay open for a moment after the network is gone.
      if (status === 'live' && navigator.onLine) return;
      const path = pathOfClick(event, window.location.origin);
      if (path === null) return;
      event.preventDefault();
      void isReachable().then((isThere) => {
        if (isThere) router.push(path as Route);
        else
          toast.error('The page was not opened', {
            description: 'The console cannot be reached. This page stays; try again when it is back.',
          });
      });
    };
    // Before the links themselves.
    document.addEventListener('click', onClick, true);
    return () => document.removeEventListener('click', onClick, true);
  }, [router, status]);
}

/** The console's page that the click would open in this tab; null: none. */
export function pathOfClick(
  { target, button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent,
  origin: string,
): string | null {
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey || !(target instanceof Element)) return null;
  const link = target.closest('a');
  const href = link?.getAttribute('href');
  if (!link || !href || href.startsWith('#') || (link.target && link.target !== '_self')) return null;
  if (link.hasAttribute('download')) return null;
  const url = new URL(href, origin);
  if (url.origin !== origin || url.pathname.startsWith('/api/')) return null;
  return url.pathname + url.search + url.hash;
}

async function isReachable(): Promise<boolean> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) });
    return response.ok;
  } catch {
    return false;
  }
}
