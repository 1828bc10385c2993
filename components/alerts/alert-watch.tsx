'use client';
import { useSyncExternalStore } from 'react';
import { useOverviewPart } from '@/lib/browser/live/use-overview';
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { AlertNotifier } from './alert-notifier';

/** Shows notifications on every page. The live numbers say whether an alert asks for a user; a hidden tab gets none of them. */
export function AlertWatch() {
  const isHidden = useSyncExternalStore(
    subscribe,
    () => document.visibilityState === 'hidden',
    () => false,
  );
  const { bad, warn } = useOverviewPart(alertsOf) ?? NONE;
  return isHidden || bad + warn > 0 ? <AlertNotifier /> : null;
}

const alertsOf = ({ alerts }: Overview) => alerts;
const NONE = { bad: 0, warn: 0 };

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
