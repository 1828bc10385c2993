/** Alerts. A silence without a queue, and a test, concern everybody. */
import type { z } from 'zod';
import { timeOrderedId } from '@/lib/broker';
import { channelExists, shownAlert } from '@/lib/broker/alerts';
import { type AccessScope, isFullScope, scopeHasQueue } from '@/lib/contract/access/grant-scopes';
import type {
  Alert,
  Alerts,
  acknowledgeRequestSchema,
  Channel,
  Deliveries,
  Delivery,
  deliveriesQuerySchema,
  EndedAlerts,
  endedAlertsQuerySchema,
  Silence,
  SilenceRequest,
} from '@/lib/contract/alerts/alert-schemas';
import type { StoredAlert, StoredChannel } from '@/lib/contract/alerts/alert-storage';
import type { channelPatchSchema, channelRequestSchema } from '@/lib/contract/alerts/channel-settings';
import { noSuchAlert, noSuchChannel, noSuchSilence } from '@/lib/contract/not-found-errors';
import { RedriveError } from '@/lib/contract/redrive-error';
import { alertConfig } from '../alerts/alert-config';
import { alertRules, shownChannels, shownRules } from '../alerts/alert-rules';
import {
  checkChannel,
  getMadeChannels,
  isStoredChannel,
  patchChannel,
  storeChannel,
} from '../alerts/made-channels';
import { getRedisAlert } from '../alerts/memory/own-redis-alert';
import { testChannel } from '../alerts/send-messages';
import { scopeOf } from '../authentication/principal';
import { requireEverywhere, requirePermission, requireWholeQueue } from '../authorization/require-permission';
import { asVisible, isAlertVisible } from '../authorization/visible-alerts';
import { getAlertWatch } from '../background/alert-watch';
import { getBroker } from '../console-broker';
import { intentId, type RequestContext, requestActor, requireQueue } from './request-context';

const isSilenceVisible = ({ queue }: Silence, within: AccessScope): boolean =>
  isFullScope(within) || (queue !== null && scopeHasQueue(within, queue));

export function authorizedAlerts(context: RequestContext) {
  const { principal } = context;
  const scope = (): AccessScope => {
    requirePermission(principal, 'view');
    return scopeOf(principal, 'view');
  };
  /** Of an alert or a silence: every queue that it is about, or all of them. */
  const requireOperate = (queues: readonly string[]): void => {
    if (queues.length === 0) requireEverywhere(principal, 'operate');
    for (const queue of queues) requireWholeQueue(principal, 'operate', queue);
  };
  return {
    /** While Redis is away: what this console sends by itself. */
    async read(): Promise<Alerts> {
      const within = scope();
      const own = getRedisAlert().alert() ?? [];
      const state = await readState();
      const live = [own, (state?.live ?? []).map(withEnd)]
        .flat()
        .filter((alert) => isAlertVisible(alert, within))
        .map((alert) => asVisible(alert, within));
      return {
        at: state?.now ?? Date.now(),
        fresh: state !== null,
        live: live.sort(worstFirst),
        silences: (state?.silences ?? []).filter((silence) => isSilenceVisible(silence, within)),
        // A target can be somebody's address.
        channels: isFullScope(within) ? shownChannels(state?.channels ?? new Map()) : [],
        rules: shownRules(),
      };
    },
    async ended(query: z.output<typeof endedAlertsQuerySchema>): Promise<EndedAlerts> {
      const within = scope();
      const page = await getBroker().alerts.ended(query, (alert) => isAlertVisible(alert, within));
      return { ...page, alerts: page.alerts.map((alert) => asVisible(alert, within)) };
    },
    async deliveries(query: z.output<typeof deliveriesQuerySchema>): Promise<Deliveries> {
      const within = scope();
      const page = await getBroker().alerts.deliveries(query, (alert) => isAlertVisible(alert, within));
      return isFullScope(within) ? page : { ...page, deliveries: page.deliveries.map(withoutReceiver) };
    },
    async acknowledge(id: string, { note }: z.output<typeof acknowledgeRequestSchema>): Promise<Alert> {
      const within = scope();
      const may = (alert: Alert) => {
        if (!isAlertVisible(alert, within)) throw noSuchAlert(id);
        // A user who sees all of it but names more than are listed needs the right everywhere.
        requireOperate(alert.queues.total > alert.queues.named.length ? [] : alert.queues.named);
      };
      const alert = await getBroker().alerts.acknowledge(
        id,
        note ?? null,
        requestActor(context, { reason: note }),
        may,
      );
      getAlertWatch().sendNow();
      return asVisible(alert, within);
    },
    async silence(request: SilenceRequest): Promise<Silence> {
      if (request.queue === undefined) requireEverywhere(principal, 'operate');
      else {
        requireWholeQueue(principal, 'operate', request.queue);
        await requireQueue(request.queue);
      }
      return getBroker().alerts.silence(
        request,
        requestActor(context, request),
        intentId(context) ?? undefined,
      );
    },
    async unsilence(id: string, body: { reason?: string | undefined }): Promise<void> {
      requirePermission(principal, 'operate');
      const within = scopeOf(principal, 'view');
      const may = (silence: Silence) => {
        if (!isSilenceVisible(silence, within)) throw noSuchSilence(id);
        requireOperate(silence.queue === null ? [] : [silence.queue]);
      };
      await getBroker().alerts.unsilence(id, requestActor(context, body), may);
      getAlertWatch().rememberRemoval(id);
    },
    async addChannel(request: z.output<typeof channelRequestSchema>): Promise<Channel> {
      requireEverywhere(principal, 'access');
      const channel = checkChannel(request.channel);
      if (alertConfig().channels.some(({ name }) => name === channel.name)) throw channelExists(channel.name);
      const row = storeChannel(channel, { intent: intentId(context), id: timeOrderedId() });
      const isSame = (stored: StoredChannel) => isStoredChannel(stored, channel);
      await getBroker().alerts.addChannel(row, requestActor(context, request), isSame);
      return shownChannel(channel.name);
    },
    async changeChannel(name: string, request: z.output<typeof channelPatchSchema>): Promise<Channel> {
      requireEverywhere(principal, 'access');
      refuseConfigured(name);
      const change = (before: StoredChannel) => patchChannel(before, request.channel);
      await getBroker().alerts.changeChannel(name, change, requestActor(context, request));
      return shownChannel(name);
    },
    async removeChannel(name: string, body: { reason?: string | undefined }): Promise<void> {
      requireEverywhere(principal, 'access');
      refuseConfigured(name);
      const id = await getBroker().alerts.removeChannel(name, requestActor(context, body));
      getAlertWatch().rememberRemoval(id);
      await getMadeChannels().refresh();
    },
    /** Sends now, and says how that went. @throws RedriveError CHANNEL_NOT_FOUND */
    async test(name: string, body: { reason?: string | undefined }): Promise<Delivery> {
      requireEverywhere(principal, 'operate');
      return testChannel(name, requestActor(context, body));
    },
  };
}

/** @throws RedriveError VALIDATION for a channel of the environment */
function refuseConfigured(name: string): void {
  if (alertConfig().channels.every((channel) => channel.name !== name)) return;
  throw new RedriveError(
    'VALIDATION',
    `The channel ${name} is in REDRIVE_ALERTS (or its file), where the console cannot change it. Change it there and start the console again.`,
    { fields: [{ field: 'name', message: 'is a channel of the environment' }] },
  );
}

/** As it is stored now. @throws RedriveError CHANNEL_NOT_FOUND if another administrator removed it meanwhile */
async function shownChannel(name: string): Promise<Channel> {
  await getMadeChannels().refresh();
  const channel = shownChannels(await getBroker().alerts.channels()).find((one) => one.name === name);
  if (!channel) throw noSuchChannel(name);
  return channel;
}

function withEnd(alert: StoredAlert): Alert {
  const { goneAt } = alert;
  const over = goneAt === null ? null : { at: goneAt, endsAt: goneAt + alertRules().resolveAfterMs };
  return { ...shownAlert(alert), over };
}

/** For readers who see no channels: that a message was sent or failed, but not where. */
const withoutReceiver = (delivery: Delivery): Delivery => ({ ...delivery, channel: null, error: null });

/** Null: Redis is away. */
async function readState() {
  const { alerts } = getBroker();
  try {
    const [state, channels] = await Promise.all([
      alerts.read(),
      alerts.channels(),
      getMadeChannels().refresh(),
    ]);
    return { ...state, channels };
  } catch (error) {
    if (error instanceof RedriveError && error.code === 'REDIS_UNAVAILABLE') return null;
    throw error;
  }
}

const RANK = { firing: 0, pending: 1, ended: 2 } as const;
/** Firing before pending, bad before warnings, the oldest first. */
const worstFirst = (a: Alert, b: Alert): number =>
  RANK[a.state] - RANK[b.state] ||
  Number(b.level === 'bad') - Number(a.level === 'bad') ||
  a.seenAt - b.seenAt;
