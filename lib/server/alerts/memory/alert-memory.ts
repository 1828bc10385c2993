/** What this console knows of alerts, for when Redis loses its data: without it, receivers would wait for their end for ever. */
import type { Broker } from '@/lib/broker';
import type { RememberedAlerts } from '@/lib/broker/alerts';
import { REMOVALS_KEPT } from '@/lib/contract/alerts/alert-limits';
import type { StoredChannel } from '@/lib/contract/alerts/alert-storage';

const NOTHING: RememberedAlerts = { live: [], silences: [], channels: [], removedIds: [] };

export class AlertMemory {
  private remembered: RememberedAlerts = NOTHING;
  /** What users removed by this console: Redis may lose its data before the next read. */
  private removedIds: string[] = [];
  /** Losses of data that are made up for. */
  private losses = 0;

  /** @param onChannels gets the channels of the console that were read */
  constructor(
    private readonly broker: () => Pick<Broker, 'alerts' | 'dataset'>,
    private readonly onChannels: (channels: readonly StoredChannel[]) => void = () => undefined,
  ) {}

  /** @param id of a channel or a silence */
  rememberRemoval(id: string): void {
    this.removedIds = [...this.removedIds, id].slice(-REMOVALS_KEPT);
  }

  /** The alerts in Redis; after a loss with those that it had. */
  async read(): Promise<Awaited<ReturnType<Broker['alerts']['read']>>> {
    const { alerts, dataset } = this.broker();
    const [state, channels] = await Promise.all([alerts.read(), alerts.made()]);
    // What was read after a loss must not take the place of what was known before.
    await dataset.look();
    const { loss, losses } = dataset.state();
    if (losses === this.losses) {
      // A look at the data under way may have begun before a loss: nothing of alerts is nothing to remember.
      if (state.version !== '0') {
        this.remembered = { ...state, channels };
        this.onChannels(channels);
      }
      return state;
    }
    // Older data that answer instead have alerts of their own, and what was removed since.
    const lost = loss?.kind === 'emptied' ? this.remembered : NOTHING;
    const removedIds = [...this.remembered.removedIds, ...this.removedIds];
    if (lost !== NOTHING || removedIds.length > 0) await alerts.restore({ ...lost, removedIds });
    this.losses = losses;
    return alerts.read();
  }
}
