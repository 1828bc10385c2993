'use client';
import { useState } from 'react';
import { lazyPart } from '@/components/ui/lazy-part';
import { useServerClock } from '@/lib/browser/live/live-provider';
import { useLiveOperations } from '@/lib/browser/use-live-operations';

const LiveCards = lazyPart(() => import('./live-cards').then((module) => module.LiveCards));

/** The cards, from the first live operation on: most visits see none. They stay mounted, because they announce results. */
export function OperationsDock() {
  const clock = useServerClock();
  const [since] = useState(clock);
  const [isNeeded, setNeeded] = useState(false);
  const hasOperations = useLiveOperations().length > 0;
  if (hasOperations && !isNeeded) setNeeded(true);
  return isNeeded ? <LiveCards since={since} /> : null;
}
