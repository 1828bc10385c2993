/** Messages on their way: one console at a time sends one, and after its crash another does. At least once; receivers know the id. */

import { WAITING_DELIVERIES_MAX } from '@/lib/contract/alerts/alert-limits';
import {
  type DeliveryStatus,
  deliveryStatusSchema,
  type StoredMessage,
  storedMessageSchema,
} from '@/lib/contract/alerts/alert-storage';
import type { Actor } from '../access/actor';
import { randomId } from '../jobs/job-id';
import type { BrokerContext } from '../redis/broker-context';
import { parseJsonRow } from '../redis/parse-json';
import { serverNow } from '../redis/server-info';
import { NEW_STATUS } from './alert-records';
import { changeAlerts } from './alert-state';

/** A console that takes a message sends it, or crashes, within this time. */
export const DELIVERY_LEASE_MS = 30_000;
/** After the first failure, the second and so on; then the message has failed. */
export const RETRY_AFTER_MS: readonly number[] = [5_000, 30_000, 120_000, 600_000, 3_600_000];
/** Due messages that a look reads. */
const DUE_MAX = 100;
/** A message waits so long for a console that knows its channel. */
const UNKNOWN_CHANNEL_MS = 10 * 60_000;
const LATER_MS = 30_000;
/** Until the message before it of the same alert is looked for again. */
const AFTER_OTHER_MS = 2_000;
const ERROR_MAX_CHARS = 300;

export interface TakenMessage {
  readonly message: StoredMessage;
  readonly status: DeliveryStatus;
}
export interface DueMessages {
  readonly taken: TakenMessage[];
  /** Ms until the next message is due; null: none waits. */
  readonly nextInMs: number | null;
}

/** Takes messages that are due, for channels that this console has. @param most at most so many */
export async function takeMessages(
  ctx: BrokerContext,
  channels: ReadonlySet<string>,
  most: number,
): Promise<DueMessages> {
  const now = await serverNow(ctx, 'alertsState');
  const key = ctx.keys.global('alertsDue');
  const rows = await ctx.plain((redis) => redis.zrange(key, '0', String(DUE_MAX - 1), 'WITHSCORES'));
  const scores = new Map<string, number>();
  for (let i = 0; i + 1 < rows.length; i += 2) scores.set(rows[i] ?? '', Number(rows[i + 1]));
  const due = [...scores].filter(([, at]) => at <= now).map(([id]) => id);
  const later = [...scores.values()].find((at) => at > now);
  const taken: TakenMessage[] = [];
  const messages = await readMessages(ctx, due);
  await forget(ctx, due, messages);
  for (const { row, message, status } of messages) {
    if (taken.length >= most) break;
    // Another console took it since the list was read.
    if (status.state !== 'waiting' || (status.nextAt ?? 0) > now) continue;
    const change = (next: DeliveryStatus) => setStatus(ctx, message, row, next);
    if (message.after !== null && (await isWaiting(ctx, message.after)))
      await change({ ...status, nextAt: now + AFTER_OTHER_MS });
    else if (!channels.has(message.channel)) await change(withoutChannel(message, status, now));
    else {
      const mine = { ...status, token: randomId(12), attemptAt: now, nextAt: now + DELIVERY_LEASE_MS };
      if (await change(mine)) taken.push({ message, status: mine });
    }
  }
  const nextInMs = due.length > taken.length ? LATER_MS : later === undefined ? null : later - now;
  return { taken, nextInMs };
}

/** Ids without a readable message would wait for ever, before all others. */
async function forget(
  ctx: BrokerContext,
  due: readonly string[],
  messages: readonly ReadMessage[],
): Promise<void> {
  const readable = new Set(messages.map(({ message }) => message.id));
  const lost = due.filter((id) => !readable.has(id));
  if (lost.length > 0) await ctx.plain((redis) => redis.zrem(ctx.keys.global('alertsDue'), ...lost));
}

const isWaiting = async (ctx: BrokerContext, id: string): Promise<boolean> =>
  (await ctx.plain((redis) => redis.zscore(ctx.keys.global('alertsDue'), id))) !== null;

/** Another console may know the channel: configurations differ while they are rolled out. */
const withoutChannel = (
  { at, channel }: StoredMessage,
  status: DeliveryStatus,
  now: number,
): DeliveryStatus =>
  now - at < UNKNOWN_CHANNEL_MS
    ? { ...status, nextAt: now + LATER_MS }
    : { ...status, state: 'failed', nextAt: null, error: `No console has a channel ${channel} now.` };

/** Messages to a removed channel must not reach a later channel of its name. */
export async function dropMessages(ctx: BrokerContext, channel: string): Promise<void> {
  const key = ctx.keys.global('alertsDue');
  const ids = await ctx.plain((redis) => redis.zrange(key, '0', String(WAITING_DELIVERIES_MAX - 1)));
  for (const { row, message, status } of await readMessages(ctx, ids)) {
    if (message.channel !== channel || status.state !== 'waiting') continue;
    const error = `The channel ${channel} was removed.`;
    await setStatus(ctx, message, row, { ...status, state: 'failed', nextAt: null, error });
  }
}

/** Records the result of an attempt. @returns false: the lease was over, and another console took the message */
export async function settleMessage(
  ctx: BrokerContext,
  { message, status }: TakenMessage,
  failure: {
    readonly error: string;
    readonly isFinal: boolean;
    readonly retryAfterMs?: number | null;
  } | null,
): Promise<boolean> {
  const now = await serverNow(ctx, 'alertsState');
  const attempts = status.attempts + 1;
  const wait = RETRY_AFTER_MS[attempts - 1];
  const again = failure !== null && !failure.isFinal && wait !== undefined;
  const next: DeliveryStatus = {
    state: failure === null ? 'sent' : again ? 'waiting' : 'failed',
    attempts,
    attemptAt: status.attemptAt,
    nextAt: again ? now + Math.max(wait, failure.retryAfterMs ?? 0) : null,
    error: failure === null ? null : failure.error.slice(0, ERROR_MAX_CHARS),
    token: null,
  };
  const latest = { at: status.attemptAt ?? now, state: next.state, error: next.error };
  return setStatus(ctx, message, JSON.stringify(status), next, JSON.stringify(latest));
}

/** Puts a message on record that this console is about to send itself. */
export const beginMessage = (
  ctx: BrokerContext,
  make: (now: number) => StoredMessage,
  by: Actor,
): Promise<TakenMessage> =>
  changeAlerts(ctx, ({ now }) => {
    const message = make(now);
    const status = { ...NEW_STATUS, token: randomId(12), attemptAt: now, nextAt: now + DELIVERY_LEASE_MS };
    return {
      writes: { messages: [{ message, status }] },
      audit: { action: 'alert.test', by, kind: 'channel', id: message.channel },
      result: { message, status },
    };
  });

/** Whether this console calls a heartbeat address now: of all consoles one does. */
export const takeHeartbeat = async (ctx: BrokerContext, channel: string, everyMs: number): Promise<boolean> =>
  (await ctx.run('alerts-beat', null, [channel, everyMs])) === 1;

interface ReadMessage {
  /** The status as it is stored. */
  readonly row: string;
  readonly message: StoredMessage;
  readonly status: DeliveryStatus;
}

/** In the order of `ids`; without those that are gone or unreadable. */
export async function readMessages(ctx: BrokerContext, ids: readonly string[]): Promise<ReadMessage[]> {
  if (ids.length === 0) return [];
  const [messages, rows] = await Promise.all([
    ctx.plain((redis) => redis.hmget(ctx.keys.global('alertsMessages'), ...ids)),
    ctx.plain((redis) => redis.hmget(ctx.keys.global('alertsAttempts'), ...ids)),
  ]);
  return ids.flatMap((_, i) => {
    const message = parseJsonRow(storedMessageSchema, messages[i]);
    const row = rows[i] ?? '';
    const status = parseJsonRow(deliveryStatusSchema, row);
    return message && status ? [{ row, message, status }] : [];
  });
}

/** If the status still is as it was read. */
const setStatus = async (
  ctx: BrokerContext,
  { id, channel }: StoredMessage,
  before: string,
  next: DeliveryStatus,
  latest = '',
): Promise<boolean> =>
  (await ctx.run('alerts-deliver', null, [
    id,
    before,
    JSON.stringify(next),
    next.state === 'waiting' ? (next.nextAt ?? '') : '',
    channel,
    latest,
  ])) === 1;
