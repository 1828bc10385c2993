import { Duration } from '@/components/ui/text/number';
import { queuePause } from '@/lib/browser/queues/pause-scope';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';

export function TimeToDrain({ queue }: { queue: QueueSnapshot }) {
  const drain = timeToDrain(queue);
  if (drain === 'paused') return <span className="text-state-held">paused</span>;
  if (drain === 'never') {
    return (
      <span className="font-medium text-warn" title="At the current rates the backlog does not shrink">
        never
      </span>
    );
  }
  return <Duration ms={drain} dim />;
}

export function timeToDrain(queue: QueueSnapshot): number | 'never' | 'paused' | null {
  if (queue.counts.ready === 0) return queue.drainMs;
  if (queuePause(queue.pauses)) return 'paused';
  return queue.drainMs ?? 'never';
}
