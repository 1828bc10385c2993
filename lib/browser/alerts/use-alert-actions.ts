'use client';
/** Ended alerts and deliveries, a page at a time; and what a user does about alerts. */
import { keepPreviousData } from '@tanstack/react-query';
import type { SilenceRequest } from '@/lib/contract/alerts/alert-schemas';
import type { ChannelPatch, ChannelRequest } from '@/lib/contract/alerts/channel-settings';
import { PAGE_LIMIT_DEFAULT, paths } from '@/lib/contract/api-paths';
import { withQuery } from '../api/api-client';
import { useApiQuery, useWrite } from '../api/query-defaults';
import { keys } from '../api/query-keys';
import { reply } from '../api/reply-schemas';
import { REFETCH_ALERTS_MS } from './use-alerts';

const TEST_DEADLINE_MS = 20_000;

/** A page of alerts that ended, the latest first. */
export const useEndedAlerts = (cursor: string | null) =>
  useApiQuery(
    keys.endedAlerts(cursor),
    withQuery(paths.alertsEnded(), { cursor, limit: PAGE_LIMIT_DEFAULT }),
    reply('endedAlertsSchema'),
    { refetchInterval: cursor === null && 2 * REFETCH_ALERTS_MS, placeholderData: keepPreviousData },
  );

/** A page of messages to channels, the latest first; of one alert, or of all. */
export const useDeliveries = (alertId: string | null, cursor: string | null) =>
  useApiQuery(
    keys.alertDeliveries(alertId, cursor),
    withQuery(paths.alertDeliveries(), { alertId, cursor, limit: PAGE_LIMIT_DEFAULT }),
    reply('deliveriesSchema'),
    { refetchInterval: cursor === null && REFETCH_ALERTS_MS, placeholderData: keepPreviousData },
  );

/** Begins with the prefix of every key of alerts. */
const stale = () => [keys.alerts()];

export const useAcknowledgeAlert = () =>
  useWrite({
    send: ({ id, note }: { id: string; note?: string }) => ({
      method: 'POST',
      path: paths.alertAcknowledge(id),
      body: { note },
    }),
    schema: reply('ignoredSchema'),
    stale,
  });

export const useSilence = () =>
  useWrite({
    send: (body: SilenceRequest) => ({ method: 'POST', path: paths.alertSilences(), body }),
    schema: reply('ignoredSchema'),
    stale,
  });

export const useRemoveSilence = () =>
  useWrite({
    send: ({ id }: { id: string }) => ({ method: 'DELETE', path: paths.alertSilence(id), body: {} }),
    schema: reply('ignoredSchema'),
    stale,
  });

/** @param name of the channel that is changed; null: a new one */
export const useSaveChannel = (name: string | null) =>
  useWrite({
    send: (body: ChannelRequest | ChannelPatch) =>
      name === null
        ? { method: 'POST', path: paths.alertChannels(), body }
        : { method: 'PATCH', path: paths.alertChannel(name), body },
    schema: reply('channelSchema'),
    stale,
  });

export const useRemoveChannel = () =>
  useWrite({
    send: ({ name, reason }: { name: string; reason?: string }) => ({
      method: 'DELETE',
      path: paths.alertChannel(name),
      body: { reason },
    }),
    schema: reply('ignoredSchema'),
    stale,
  });

export const useTestChannel = () =>
  useWrite({
    send: ({ name }: { name: string }) => ({ method: 'POST', path: paths.alertChannelTest(name), body: {} }),
    schema: reply('deliverySchema'),
    // The answer comes when the message was sent, or when its receiver took too long.
    deadlineMs: TEST_DEADLINE_MS,
    stale,
  });
