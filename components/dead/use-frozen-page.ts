'use client';
import { useState } from 'react';

/**
 * Holds the page still while something is selected, whatever reads it again meanwhile. Turning to another page holds
 * that one, once it is there (`settled`); `release` takes the newest.
 */
export function useFrozenPage<Page>(
  page: Page | undefined,
  view: string,
  { frozen, settled }: { frozen: boolean; settled: boolean },
): { page: Page | undefined; release: () => void } {
  const [held, setHeld] = useState<{ view: string; page: Page } | null>(null);
  const stale = held !== null && (!frozen || held.view !== view);
  if (stale) setHeld(null);
  const kept = stale ? null : held;
  if (frozen && settled && kept === null && page) setHeld({ view, page });
  return { page: kept?.page ?? page, release: () => setHeld(null) };
}
