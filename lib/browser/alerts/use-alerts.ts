'use client';
/** Alerts with their silences, channels and rules. */
import type { Alert, Alerts } from '@/lib/contract/alerts/alert-schemas';
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
 * @param inBackground also while the tab is hidden
 */
export function useAlerts({ inBackground = false } = {}): Streamed<Alerts> {
  const offline = useLiveStatus() === 'offline';
  const query = useApiQuery(keys.alerts(), paths.alerts(), reply('alertsSchema'), {
    refetchInterval: offline && !inBackground ? false : REFETCH_ALERTS_MS,
    refetchIntervalInBackground: inBackground,
  });
  return useStreamed(query, keys.alerts());
}

/** It was sent, and it is neither acknowledged nor silenced. */
export const isUrgent = ({ state, acknowledged, silencedBy }: Alert): boolean =>
  state === 'firing' && acknowledged === null && silencedBy === null;
