/** The alert of a console that Redis was away, once Redis answers: any console ends it, also after that console has gone. */
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import type { DeliveryStatus, StoredAlert, StoredMessage } from '@/lib/contract/alerts/alert-storage';
import { timeOrderedId } from '../jobs/job-id';
import type { BrokerContext } from '../redis/broker-context';
import { endAlert } from './advance-alerts';
import { changeAlerts } from './alert-state';
import { RECENT_ALERTS, waiting } from './change-alerts';
import { listEndedAlerts } from './list-alerts';

type Sent = readonly { readonly message: StoredMessage; readonly status: DeliveryStatus }[];

/**
 * Several consoles hand over the same alert: it stands once, and ends when all of them have had Redis for long enough.
 * @param sent its messages, and how far they got @param goneAt since when the console has had Redis, ms since 1970
 */
export const handOverAlert = (ctx: BrokerContext, alert: Alert, sent: Sent, goneAt: number): Promise<void> =>
  changeAlerts(ctx, async ({ live, now }) => {
    const standing = live.find(({ code }) => code === alert.code);
    const own = standing?.id === alert.id ? standing : asStored(alert, sent, goneAt);
    if (standing && standing !== own) {
      // Receivers know the same trouble under another id, too: that one goes on.
      const { ended, messages } = endAlert(own, goneAt, now, timeOrderedId);
      return {
        writes: { ended: [ended], messages: [...sent, ...messages.map(waiting)] },
        result: undefined,
      };
    }
    const { alerts } = await listEndedAlerts(ctx, { limit: RECENT_ALERTS });
    // Another console was so much earlier that it is over.
    if (alerts.some(({ id }) => id === alert.id)) return { writes: { messages: sent }, result: undefined };
    const stored = { ...own, goneAt: Math.max(goneAt, standing?.goneAt ?? 0) };
    return { writes: { live: [stored], messages: sent }, result: undefined };
  });

const asStored = (alert: Alert, sent: Sent, goneAt: number): StoredAlert => ({
  ...alert,
  worst: alert.level,
  peak: null,
  badSince: alert.level === 'bad' ? alert.seenAt : null,
  goneAt,
  told: {
    level: alert.level,
    queues: alert.queues,
    at: alert.firedAt ?? alert.seenAt,
    channels: Object.fromEntries(sent.map(({ message }) => [message.channel, message.id])),
  },
});
