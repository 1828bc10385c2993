/** Ended alerts and messages on record, newest first, a page at a time. */
import { ENDED_ALERTS_KEPT_MS } from '@/lib/contract/alerts/alert-limits';
import {
  type Alert,
  alertSchema,
  type Deliveries,
  type Delivery,
  type EndedAlerts,
} from '@/lib/contract/alerts/alert-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { BrokerContext } from '../redis/broker-context';
import { parseJsonRow } from '../redis/parse-json';
import { serverNow } from '../redis/server-info';
import { shownDelivery } from './alert-records';
import { readMessages } from './deliver-messages';

/** Read at a time; a page of a user who sees little may take several. */
const BATCH = 100;
const STREAM_ID = /^\d{1,20}-\d{1,20}$/;
const MESSAGE_ID = /^[0-9A-Za-z]{1,40}$/;

export type MaySeeAlert = (alert: Alert) => boolean;
const everything: MaySeeAlert = () => true;

interface Page {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

const badCursor = () =>
  new RedriveError(
    'BAD_CURSOR',
    'The cursor was not made by this list. Leave it out to start from the first page.',
    { fields: [{ field: 'cursor', message: 'is not one this list gave out' }] },
  );

/** @throws RedriveError BAD_CURSOR */
export async function listEndedAlerts(
  ctx: BrokerContext,
  { cursor, limit }: Page,
  maySee: MaySeeAlert = everything,
): Promise<EndedAlerts> {
  if (cursor !== undefined && !STREAM_ID.test(cursor)) throw badCursor();
  const oldest = (await serverNow(ctx, 'alertsState')) - ENDED_ALERTS_KEPT_MS;
  const key = ctx.keys.global('alertsEnded');
  const alerts: Alert[] = [];
  let from = cursor === undefined ? '+' : `(${cursor}`;
  for (;;) {
    const entries = await ctx.plain((redis) => redis.xrevrange(key, from, '-', 'COUNT', BATCH));
    for (const [id, fields] of entries) {
      const alert = parseJsonRow(alertSchema, fields[1]);
      if (alert && (alert.endedAt ?? 0) < oldest) return { alerts, nextCursor: null };
      if (alert && maySee(alert)) alerts.push(alert);
      if (alerts.length >= limit) return { alerts, nextCursor: id };
      from = `(${id}`;
    }
    if (entries.length < BATCH) return { alerts, nextCursor: null };
  }
}

/** @throws RedriveError BAD_CURSOR */
export async function listDeliveries(
  ctx: BrokerContext,
  { cursor, limit, alertId }: Page & { readonly alertId?: string | undefined },
  maySee: MaySeeAlert = everything,
): Promise<Deliveries> {
  if (cursor !== undefined && !MESSAGE_ID.test(cursor)) throw badCursor();
  const key = ctx.keys.global('alertsTimes');
  const deliveries: Delivery[] = [];
  const last = cursor === undefined ? -1 : await ctx.plain((redis) => redis.zrevrank(key, cursor));
  // The oldest are deleted: behind them is nothing.
  if (last === null) return { deliveries, nextCursor: null };
  for (let from = last + 1; ; from += BATCH) {
    const ids = await ctx.plain((redis) => redis.zrevrange(key, from, from + BATCH - 1));
    for (const { message, status } of await readMessages(ctx, ids)) {
      if (alertId !== undefined && message.alert.id !== alertId) continue;
      if (!maySee(message.alert)) continue;
      deliveries.push(shownDelivery(message, status));
      if (deliveries.length >= limit) return { deliveries, nextCursor: message.id };
    }
    if (ids.length < BATCH) return { deliveries, nextCursor: null };
  }
}
