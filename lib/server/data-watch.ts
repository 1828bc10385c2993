/**
 * Notices that the data of this Redis are gone or others, whether anybody watches or not, and has all that this process remembers of them
 * read anew. A console that starts afterwards cannot know of it.
 */
import type { DatasetLoss } from '@/lib/broker';
import { getAuditCollector } from './audit-collector';
import { getBroker } from './broker';
import { log } from './log';
import { getSampler } from './sampler';
import { singleton } from './singleton';

const LOOK_EVERY_MS = 1_000;

export class DataWatch {
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  private stopListening: () => void = () => undefined;

  start(): void {
    if (this.timer || this.stopped) return;
    this.stopListening = getBroker().dataset.onLoss((loss) => this.noticed(loss));
    this.arm(0);
  }

  stop(): void {
    this.stopped = true;
    this.stopListening();
    if (this.timer) clearTimeout(this.timer);
  }

  private arm(inMs: number): void {
    this.timer = setTimeout(() => {
      void getBroker()
        .dataset.look()
        .finally(() => {
          if (!this.stopped) this.arm(LOOK_EVERY_MS);
        });
    }, inMs);
    this.timer.unref();
  }

  private noticed({ kind, lastSeenAt }: DatasetLoss): void {
    log().warn(
      { lastSeenAt: new Date(lastSeenAt).toISOString() },
      kind === 'emptied'
        ? 'this Redis lost its data: it was emptied, or started again without them'
        : 'this Redis holds other data than before',
    );
    getSampler().forget();
    // It says in the new audit log that there was one before.
    void getAuditCollector().look();
  }
}

export const getDataWatch = singleton('data-watch', () => new DataWatch());
