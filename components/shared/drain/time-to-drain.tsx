import { cn } from '@/components/ui/cn';
import { queuePause } from '@/lib/browser/queues/pause-scope';
import type { DrainForecast, QueueRow } from '@/lib/contract/queues/queue-schemas';
import { drainText, workersNeededText } from './drain-text';

/** Of one queue. */
export function TimeToDrain({ queue }: { queue: QueueRow }) {
  if (queue.counts.ready > 0) {
    if (queuePause(queue.pauses)) return <span className="text-state-held">paused</span>;
    if (queue.workers === 0) return <span className="font-medium text-warn">no worker</span>;
  }
  return <DrainForecastText drain={queue.drain} />;
}

/** "about 40 s", "growing 6/s"; on hover also how many workers are missing. */
export function DrainForecastText({ drain }: { drain: DrainForecast | null }) {
  if (drain === null) return <span className="text-faint">–</span>;
  const missing = workersNeededText(drain);
  const text = drainText(drain);
  return (
    <span
      title={`${text}${missing === null ? '' : `, ${missing}`}: by what came and ended in the last seconds`}
      className={cn('whitespace-nowrap', drain.trend === 'growing' && 'font-medium text-warn')}
    >
      {text}
      {missing !== null && <span className="sr-only">, {missing}</span>}
    </span>
  );
}
