/** Reads alerts and silences, and changes them: compare and set, so that any number of consoles make each change once. */
import {
  ALERTS_MAX,
  DELIVERY_RECORDS_MAX,
  ENDED_ALERTS_MAX,
  REMOVALS_KEPT,
  WAITING_DELIVERIES_MAX,
} from '@/lib/contract/alerts/alert-limits';
import {
  type Alert,
  type Channel,
  channelSchema,
  type Silence,
  silenceSchema,
} from '@/lib/contract/alerts/alert-schemas';
import {
  type DeliveryStatus,
  type StoredAlert,
  type StoredChannel,
  type StoredMessage,
  storedAlertSchema,
} from '@/lib/contract/alerts/alert-storage';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type Actor, actorJson } from '../access/actor';
import { quotaArg, throwIfOverQuota } from '../access/quota-check';
import type { BrokerContext } from '../redis/broker-context';
import { parseJsonRow } from '../redis/parse-json';
import type { GlobalKey } from '../redis/redis-keys';
import { serverNow } from '../redis/server-info';
import type { AlertState } from './advance-alerts';
import { NEW_STATUS } from './alert-records';

/** Tries of a change while consoles look at the same time. */
const TRIES = 8;

export interface ReadAlerts extends AlertState {
  /** Counts the changes. */
  readonly version: string;
  /** When the findings of the latest look were read, and when it was recorded; 0: no look yet. */
  readonly lookAt: number;
  readonly lookedAt: number;
  /** Ids of channels and silences that users removed, the latest last. */
  readonly removedIds: readonly string[];
}

export interface AlertWrites {
  readonly live?: readonly StoredAlert[];
  readonly removed?: readonly string[];
  readonly ended?: readonly Alert[];
  readonly silences?: readonly Silence[];
  readonly endedSilences?: readonly string[];
  /** Who takes the share of a new silence; left out: no share is taken. */
  readonly silencedBy?: Actor;
  /** Channels of the console. */
  readonly channels?: readonly StoredChannel[];
  readonly removedChannels?: readonly string[];
  /** Takes the place of the list. */
  readonly removedIds?: readonly string[];
  readonly messages?: readonly { readonly message: StoredMessage; readonly status: DeliveryStatus }[];
}

export interface AlertAudit {
  readonly action: string;
  readonly by: Actor;
  readonly kind: 'alert' | 'silence' | 'channel';
  readonly id: string;
  readonly queue?: string | null;
  readonly before?: string;
  readonly after?: string;
}

/** Pending and firing ones. */
export async function readLiveAlerts(ctx: BrokerContext): Promise<StoredAlert[]> {
  const rows = await ctx.plain((redis) => redis.hvals(ctx.keys.global('alertsLive')));
  return rows.flatMap((row) => parseJsonRow(storedAlertSchema, row) ?? []).slice(0, ALERTS_MAX);
}

/** The version comes first: what changes after it makes the change that follows fail. */
export async function readAlerts(ctx: BrokerContext): Promise<ReadAlerts> {
  const of = (key: GlobalKey) => ctx.keys.global(key);
  const [[version, lookAt, lookedAt, removedIds], live, silences, now] = await Promise.all([
    ctx.plain((redis) => redis.hmget(of('alertsState'), 'version', 'lookAt', 'lookedAt', 'removedIds')),
    readLiveAlerts(ctx),
    ctx.plain((redis) => redis.hvals(of('alertsSilences'))),
    serverNow(ctx, 'alertsState'),
  ]);
  return {
    now,
    version: version ?? '0',
    lookAt: Number(lookAt ?? 0) || 0,
    lookedAt: Number(lookedAt ?? 0) || 0,
    removedIds: removedIds ? removedIds.split(' ') : [],
    live,
    silences: silences.flatMap((row) => parseJsonRow(silenceSchema, row) ?? []),
  };
}

/** @param lookAt null: not a look @returns false: another process changed them first @throws RedriveError LIMIT_REACHED */
export async function writeAlerts(
  ctx: BrokerContext,
  version: string,
  writes: AlertWrites,
  { lookAt = null, audit }: { lookAt?: number | null; audit?: AlertAudit } = {},
): Promise<boolean> {
  const { live = [], removed = [], ended = [], silences = [], endedSilences = [], messages = [] } = writes;
  const share = writes.silencedBy ? quotaArg('silences', writes.silencedBy) : '';
  const changes = [
    ...live.map((alert) => ['live', alert.code, JSON.stringify(alert), '', '', '']),
    ...removed.map((code) => ['live', code, '', '', '', '']),
    ...ended.map((alert) => ['ended', JSON.stringify(alert), '', '', '', '']),
    ...silences.map((silence) => ['silence', silence.id, JSON.stringify(silence), share, '', '']),
    ...endedSilences.map((id) => ['silence', id, '', '', '', '']),
    ...(writes.channels ?? []).map((channel) => [
      'channel',
      channel.name,
      JSON.stringify(channel),
      '',
      '',
      '',
    ]),
    ...(writes.removedChannels ?? []).map((name) => ['channel', name, '', '', '', '']),
    ...(writes.removedIds ? [['removedIds', writes.removedIds.join(' '), '', '', '', '']] : []),
    ...messages.map(({ message, status }) => [
      'message',
      message.id,
      JSON.stringify(message),
      JSON.stringify(status),
      message.at,
      status.nextAt ?? '',
    ]),
  ];
  const reply = await ctx.run('alerts-change', null, [
    version,
    lookAt ?? '',
    ENDED_ALERTS_MAX,
    DELIVERY_RECORDS_MAX + WAITING_DELIVERIES_MAX,
    WAITING_DELIVERIES_MAX,
    JSON.stringify(GIVEN_UP),
    audit?.action ?? '',
    audit ? actorJson(audit.by) : '',
    audit?.kind ?? '',
    audit?.id ?? '',
    audit?.queue ?? '',
    audit?.before ?? '',
    audit?.after ?? '',
    ...changes.flat(),
  ]);
  await throwIfOverQuota(ctx, reply, ctx.keys.global('alertsShares'), writes.silencedBy, 'silences');
  return reply === 1;
}

const GIVEN_UP: DeliveryStatus = {
  ...NEW_STATUS,
  state: 'failed',
  error: `Given up: more than ${WAITING_DELIVERIES_MAX} messages were waiting.`,
};

export interface AlertDecision<T> {
  readonly writes: AlertWrites;
  readonly audit?: AlertAudit;
  readonly result: T;
}

/** Reads, decides and writes. Tries again when another process wrote first. @throws RedriveError CONFIG_CHANGED after the last try */
export async function changeAlerts<T>(
  ctx: BrokerContext,
  decide: (state: ReadAlerts) => AlertDecision<T> | Promise<AlertDecision<T>>,
): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    const state = await readAlerts(ctx);
    const { writes, audit, result } = await decide(state);
    if (await writeAlerts(ctx, state.version, writes, { audit })) return result;
  }
  throw new RedriveError(
    'CONFIG_CHANGED',
    'The alerts kept changing meanwhile. Nothing was changed: try again.',
  );
}

/** The list with removals that are not in it, without the oldest. */
export const withRemovals = (
  { removedIds }: Pick<ReadAlerts, 'removedIds'>,
  ids: readonly string[],
): readonly string[] => [...new Set([...removedIds, ...ids])].slice(-REMOVALS_KEPT);

const latestSchema = channelSchema.shape.latest.unwrap();

/** The latest attempt of each channel, by name. */
export async function readChannels(ctx: BrokerContext): Promise<Map<string, NonNullable<Channel['latest']>>> {
  const fields = await ctx.plain((redis) => redis.hgetall(ctx.keys.global('alertsChannels')));
  return new Map(
    Object.entries(fields).flatMap(([field, row]) => {
      const latest = field.startsWith('latest ') ? parseJsonRow(latestSchema, row) : null;
      return latest ? [[field.slice('latest '.length), latest] as const] : [];
    }),
  );
}

export const standingSilences = ({ silences, now }: Pick<AlertState, 'silences' | 'now'>): Silence[] =>
  silences.filter(({ until }) => until > now);

export const expiredSilences = ({ silences, now }: AlertState): string[] =>
  silences.filter(({ until }) => until <= now).map(({ id }) => id);
