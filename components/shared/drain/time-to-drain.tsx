import { cn } from '@/components/ui/cn';
import { queuePause } from '@/lib/browser/queues/pause-scope';
import type { DrainForecast, QueueRow } from '@/lib/contract/queues/queue-schemas';
import { drainText, workersNeededText } from './drain-text';

/** Of one queue. @param full also says how many workers are missing, where there is room for it */
export function TimeToDrain({ queue, full }: { queue: QueueRow; full?: boolean }) {
  if (queue.counts.ready > 0) {
    if (queuePause(queue.pauses)) return <span className="text-state-held">paused</span>;
    if (queue.workers === 0) return <span className="font-medium text-warn">no worker</span>;
  }
  return <DrainForecastText drain={queue.drain} full={full} />;
}

/** "about 40 s", "growing 6/s, needs 2 more workers". */
export function DrainForecastText({ drain, full = false }: { drain: DrainForecast | null; full?: boolean }) {
  if (drain === null) return <span className="text-faint">–</span>;
  const missing = workersNeededText(drain);
  const text = drainText(drain);
  const whole = missing === null ? text : `${text}, ${missing}`;
  return (
    <span
      title={full || whole === text ? undefined : whole}
      className={cn(!full && 'whitespace-nowrap', drain.trend === 'growing' && 'font-medium text-warn')}
    >
      {full ? whole : text}
    </span>
  );
}
