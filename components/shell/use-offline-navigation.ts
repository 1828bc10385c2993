'use client';
/** While the console cannot be reached, a click on a link must not end in the browser's own error page: the page on show stays. */
import { useEffect } from 'react';
import { pathOfAddress } from '@/lib/browser/base-path';
import { useLiveStatus } from '@/lib/browser/live/live-provider';
import { useOpenPage } from '../shared/use-open-page';

/** Mount once. Links work as usual while frames arrive. */
export function useOfflineNavigation(): void {
  const openPage = useOpenPage();
  const status = useLiveStatus();
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      if (status === 'live' && navigator.onLine) return;
      const path = pathOfClick(event, window.location.origin);
      if (path === null) return;
      event.preventDefault();
      openPage(path);
    };
    // Before the links themselves.
    document.addEventListener('click', onClick, true);
    return () => document.removeEventListener('click', onClick, true);
  }, [openPage, status]);
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
  if (url.origin !== origin) return null;
  const path = pathOfAddress(url.pathname);
  return path.startsWith('/api/') ? null : path + url.search + url.hash;
}
