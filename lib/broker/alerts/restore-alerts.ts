/** Alerts after Redis lost its data: receivers were told that they stand, so they must end for them, too. */
import type { Silence } from '@/lib/contract/alerts/alert-schemas';
import type { StoredAlert, StoredChannel } from '@/lib/contract/alerts/alert-storage';
import { timeOrderedId } from '../jobs/job-id';
import type { BrokerContext } from '../redis/broker-context';
import { endAlert } from './advance-alerts';
import { changeAlerts, standingSilences, withRemovals } from './alert-state';
import { RECENT_ALERTS, waiting } from './change-alerts';
import { channelId, readMadeChannels } from './change-channels';
import { listEndedAlerts } from './list-alerts';

export interface RememberedAlerts {
  readonly live: readonly StoredAlert[];
  readonly silences: readonly Silence[];
  /** Made in the console. */
  readonly channels: readonly StoredChannel[];
  /** Ids of channels and silences that users removed. */
  readonly removedIds: readonly string[];
}

/**
 * Puts back what a console remembers: channels, silences, and alerts that were sent, under their ids, so that the next looks go on with them. Where
 * another console was first, only what is missing. What a user removed before the loss is not put back, or removed again.
 */
export const restoreAlerts = (ctx: BrokerContext, remembered: RememberedAlerts): Promise<void> =>
  changeAlerts(ctx, async (state) => {
    const made = await readMadeChannels(ctx);
    const removedIds = withRemovals(state, remembered.removedIds);
    const isRemoved = (id: string) => removedIds.includes(id);
    const standing = made.filter((row) => !isRemoved(channelId(row)));
    const channels = remembered.channels.filter(
      (row) => !isRemoved(channelId(row)) && standing.every(({ name }) => name !== row.name),
    );
    const names = new Set([...standing, ...channels].map(({ name }) => name));
    const recent = await listEndedAlerts(ctx, { limit: RECENT_ALERTS });
    const known = new Set([...state.live, ...recent.alerts].map(({ id }) => id));
    const missing = remembered.live.filter(({ id, told }) => told !== null && !known.has(id));
    const toldAnew = new Set(state.live.flatMap(({ code, told }) => (told === null ? [] : [code])));
    // Receivers know the same cause under a new id by now.
    const over = missing
      .filter(({ code }) => toldAnew.has(code))
      .map((alert) => endAlert(alert, state.now, state.now, timeOrderedId));
    return {
      writes: {
        live: missing.filter(({ code }) => !toldAnew.has(code)),
        ended: over.map(({ ended }) => ended),
        messages: over.flatMap(({ messages }) => messages.map(waiting)),
        channels,
        removedChannels: made.flatMap(({ name }) => (names.has(name) ? [] : [name])),
        silences: standingSilences({ ...remembered, now: state.now }).filter(
          ({ id }) => !isRemoved(id) && !state.silences.some((silence) => silence.id === id),
        ),
        endedSilences: state.silences.filter(({ id }) => isRemoved(id)).map(({ id }) => id),
        removedIds,
      },
      result: undefined,
    };
  });
