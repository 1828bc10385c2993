'use client';
/** Alerts with their silences, channels and rules. Their number is in every frame: see `overview.alerts`. */
import type { Alerts } from '@/lib/contract/alerts/alert-schemas';
import { paths } from '@/lib/contract/api-paths';
import { type Streamed, useStreamed } from '../api/hydration';
import { useApiQuery } from '../api/query-defaults';
import { keys } from '../api/query-keys';
import { reply } from '../api/reply-schemas';
import { useLiveStatus } from '../live/live-provider';

/** A console looks for new alerts every five seconds. */
export const REFETCH_ALERTS_MS = 5_000;

/**
 * Alerts that stand, silences, channels and rules.
 * @param asks how long it asks for new ones: while the tab is visible, also while it is hidden, or once
 */
export function useAlerts(asks: 'visible' | 'always' | 'once' = 'visible'): Streamed<Alerts> {
  const offline = useLiveStatus() === 'offline';
  const query = useApiQuery(keys.alerts(), paths.alerts(), reply('alertsSchema'), {
    refetchInterval: asks === 'once' || (offline && asks === 'visible') ? false : REFETCH_ALERTS_MS,
    refetchIntervalInBackground: asks === 'always',
  });
  return useStreamed(query, keys.alerts());
}
