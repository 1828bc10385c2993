/**
 * Notices that this Redis lost or replaced its data, and drops what this process remembers of them. Records it in Redis, so that a
 * console that starts afterwards says the same.
 */
import type { DatasetLoss } from '@/lib/broker';
import { type BackgroundLoop, startBackgroundLoop } from '@/lib/process/background-loop';
import { getAuditCollector } from '../audit/audit-collector';
import { getBroker } from '../console-broker';
import { log } from '../console-log';
import { getSampler } from '../live/sampler';
import { singleton } from '../singleton';

const LOOK_EVERY_MS = 1_000;

class DataLossWatch {
  private loop: BackgroundLoop | null = null;
  private stopped = false;
  private stopListening: () => void = () => undefined;

  start(): void {
    if (this.loop || this.stopped) return;
    this.stopListening = getBroker().dataset.onLoss((loss) => this.noticed(loss));
    this.loop = startBackgroundLoop({
      name: 'watching for lost data',
      everyMs: LOOK_EVERY_MS,
      jitter: 0,
      keepsProcess: false,
      logger: log(),
      // A Redis that is away says nothing about its data.
      run: () =>
        getBroker()
          .dataset.loss()
          .catch(() => undefined),
    });
  }

  stop(): void {
    this.stopped = true;
    this.stopListening();
    void this.loop?.stop();
  }

  private noticed({ kind, lastSeenAt }: DatasetLoss): void {
    log().warn(
      { lastSeenAt: new Date(lastSeenAt).toISOString() },
      kind === 'emptied'
        ? 'this Redis lost its data: it was emptied, or started again without them'
        : 'this Redis holds other data than before',
    );
    getSampler().forget();
    // Records in the new audit log that there was one before.
    void getAuditCollector().look();
  }
}

export const getDataLossWatch = singleton('data-watch', () => new DataLossWatch());
