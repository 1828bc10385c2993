/** Alerts: their state in Redis, shared by all consoles. See docs/operate/alerts.md. */
import { bindVerbs } from '../redis/bind-verbs';
import type { BrokerContext } from '../redis/broker-context';
import { readAlerts, readChannels, readLiveAlerts } from './alert-state';
import { acknowledgeAlert, lookAtFindings, removeSilence, silenceAlerts } from './change-alerts';
import {
  addChannel,
  changeChannel,
  readMadeChannels,
  removeChannel,
  replaceSecrets,
} from './change-channels';
import { beginMessage, settleMessage, takeHeartbeat, takeMessages } from './deliver-messages';
import { readFiredAlerts } from './fired-alerts';
import { handOverAlert } from './hand-over-alert';
import { listDeliveries, listEndedAlerts } from './list-alerts';
import { restoreAlerts } from './restore-alerts';

export type { DeliveryStatus, StoredMessage } from '@/lib/contract/alerts/alert-storage';
export type { AlertFinding, AlertLook, AlertReceiver, AlertRules } from './advance-alerts';
export { NEW_STATUS, shownAlert, shownDelivery } from './alert-records';
export { channelExists } from './change-channels';
export type { TakenMessage } from './deliver-messages';
export type { MaySeeAlert } from './list-alerts';
export type { RememberedAlerts } from './restore-alerts';

export const alertVerbs = (ctx: BrokerContext) =>
  bindVerbs(ctx, {
    read: readAlerts,
    channels: readChannels,
    made: readMadeChannels,
    addChannel,
    changeChannel,
    removeChannel,
    replaceSecrets,
    look: lookAtFindings,
    acknowledge: acknowledgeAlert,
    silence: silenceAlerts,
    unsilence: removeSilence,
    /** An alert that this console sent by itself while Redis was away: from now on that of all consoles. */
    handOver: handOverAlert,
    /** After Redis lost its data: what this console remembers of them. */
    restore: restoreAlerts,
    live: readLiveAlerts,
    fired: readFiredAlerts,
    ended: listEndedAlerts,
    deliveries: listDeliveries,
    take: takeMessages,
    settle: settleMessage,
    begin: beginMessage,
    heartbeat: takeHeartbeat,
  });
