/** What the cache has of one queue; the server fills it, too. Pure. */
import type { QueueNumbers, QueueSnapshot } from '@/lib/contract/queues/queue-schemas';

export interface QueueView {
  /** Null when there is no such queue. */
  readonly queue: QueueNumbers | null;
  /** When the numbers were read; null without numbers. */
  readonly at: number | null;
  readonly fresh: boolean;
}

export const queueView = ({ at, ...queue }: QueueSnapshot, fresh: boolean): QueueView => ({
  queue,
  at,
  fresh,
});
