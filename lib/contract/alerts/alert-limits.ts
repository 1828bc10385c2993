/** Bounds and words of alerts. Without zod, for the browser. */
import { DAY_MS, MONTH_MS } from '../time-units';

/** `pending`: the finding stands, but not yet for long enough. `firing`: people were told. `ended`: it has not stood for a while. */
export const ALERT_STATES = ['pending', 'firing', 'ended'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

export const CHANNEL_KINDS = ['webhook', 'slack', 'teams', 'pagerduty', 'email', 'heartbeat'] as const;
/** `environment`: REDRIVE_ALERTS or its file. */
export const CHANNEL_SOURCES = ['environment', 'console'] as const;
/** Fields of channels that are written and never read back: addresses can hold keys. */
export const CHANNEL_SECRETS = ['url', 'secret', 'routingKey', 'smtp'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** What a message tells: it began; it became worse or reached more queues; somebody takes care; it is over; a test of the channel. */
export const ALERT_EVENTS = ['fired', 'worse', 'acknowledged', 'ended', 'test'] as const;
export type AlertEvent = (typeof ALERT_EVENTS)[number];

export const DELIVERY_STATES = ['waiting', 'sent', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Live alerts; one per code of a finding, so far more than there are codes. */
export const ALERTS_MAX = 100;
export const ENDED_ALERTS_MAX = 500;
export const ENDED_ALERTS_KEPT_MS = MONTH_MS;
export const SILENCE_MAX_MS = 30 * DAY_MS;
/** Of the environment, and as many again made in the console. */
export const CHANNELS_MAX = 20;
/** Removed channels and silences whose ids are kept, so that no console puts them back after a loss of data. */
export const REMOVALS_KEPT = 100;
/** Queues that an alert names; of more only the number is kept. */
export const ALERT_QUEUES_MAX = 50;
/** Messages on their way; beyond, the oldest are given up, and the record says so. */
export const WAITING_DELIVERIES_MAX = 1_000;
/** Records of messages that were sent or given up. */
export const DELIVERY_RECORDS_MAX = 1_000;
