'use client';
import { useState } from 'react';

/**
 * Shows the same page while auto-refresh is paused, even after a write refetches it. Another page is shown once it has
 * loaded (`settled`); `release` shows the latest.
 */
export function usePausedPage<Page>(
  page: Page | undefined,
  view: string,
  { paused, settled }: { paused: boolean; settled: boolean },
): { page: Page | undefined; release: () => void } {
  const [snapshot, setSnapshot] = useState<{ view: string; page: Page } | null>(null);
  const isOutdated = snapshot !== null && (!paused || snapshot.view !== view);
  if (isOutdated) setSnapshot(null);
  const current = isOutdated ? null : snapshot;
  if (paused && settled && current === null && page) setSnapshot({ view, page });
  return { page: current?.page ?? page, release: () => setSnapshot(null) };
}
