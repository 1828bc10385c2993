/** The cells of a queue that say more than a number. */
import { Check, CircleAlert, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import { Duration } from '@/components/ui/duration';
import { Num } from '@/components/ui/number';
import { Sparkline } from '@/components/ui/sparkline';
import { links } from '@/lib/client/links';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { duration } from '@/lib/format/duration';
import { full, signed } from '@/lib/format/number';
import { drainOf, isPartial, type Level } from './summary';

/** Keeps its place when all is well, so that names line up. */
export function LevelIcon({ level }: { level: Level }) {
  if (level === 'ok') return <span aria-hidden className="size-3.5 shrink-0" />;
  const Icon = level === 'bad' ? CircleAlert : TriangleAlert;
  return (
    <span className={cn('inline-flex shrink-0', level === 'bad' ? 'text-bad' : 'text-warn')}>
      <Icon aria-hidden className="size-3.5" />
      <span className="sr-only">{level === 'bad' ? 'Problem: ' : 'Warning: '}</span>
    </span>
  );
}

export function InFlight({ queue }: { queue: QueueSnapshot }) {
  const overdue = queue.overdueLeaseMs;
  const atLeast = isPartial(queue);
  if (overdue === null) return <Num value={queue.counts['in-flight']} dim atLeast={atLeast} />;
  const words = `A lease ran out ${duration(overdue)} ago and is not reclaimed yet`;
  return (
    <span title={words} className="font-medium text-bad">
      <TriangleAlert aria-hidden className="mr-1 inline size-3 align-[-1px]" />
      <Num value={queue.counts['in-flight']} atLeast={atLeast} />
      <span className="sr-only">. {words}</span>
    </span>
  );
}

export function DeadCount({ queue }: { queue: QueueSnapshot }) {
  const atLeast = isPartial(queue);
  if (queue.counts.dead === 0) return <Num value={0} dim atLeast={atLeast} />;
  return (
    <Link
      href={links.queue(queue.queue, 'dead')}
      prefetch={false}
      className="font-medium text-state-dead hover:underline"
    >
      <Num value={queue.counts.dead} atLeast={atLeast} />
      <span className="sr-only"> dead jobs</span>
    </Link>
  );
}

export function Drain({ queue }: { queue: QueueSnapshot }) {
  const drain = drainOf(queue);
  if (drain === 'paused') return <span className="text-state-held">paused</span>;
  if (drain === 'never') {
    return (
      <span className="font-medium text-warn" title="At the present rates the backlog does not shrink">
        never
      </span>
    );
  }
  return <Duration ms={drain} className={cn(drain === null && 'text-faint')} />;
}

export function Workers({ queue }: { queue: QueueSnapshot }) {
  const missing = queue.workers === 0 && queue.counts.ready + queue.counts['in-flight'] > 0;
  if (!missing) return <Num value={queue.workers} dim />;
  return (
    <span className="font-medium text-bad" title="No worker listens to this queue">
      0<span className="sr-only">: no worker listens to this queue</span>
    </span>
  );
}

export function Spark({ queue }: { queue: QueueSnapshot }) {
  const points = queue.minutes.slice(0, -1).map((minute) => minute.completed);
  const sum = points.reduce((total, value) => total + value, 0);
  const peak = Math.max(0, ...points);
  return (
    <Sparkline
      points={points}
      width={64}
      color="var(--state-completed)"
      label={`Completed in the last ${points.length} minutes: ${full(sum)}, at most ${full(peak)} a minute`}
    />
  );
}

export function LedgerMark({ difference }: { difference: number }) {
  if (difference === 0) {
    return (
      <span title="The ledger balances" className="inline-flex align-middle text-good">
        <Check aria-hidden className="size-3.5" />
        <span className="sr-only">The ledger balances</span>
      </span>
    );
  }
  return (
    <span title="The ledger does not balance" className="font-medium text-bad">
      {signed(difference)}
      <span className="sr-only">: the ledger does not balance</span>
    </span>
  );
}

const TAIL_CHARS = 12;
const LONG_NAME_CHARS = 20;
export const isLongName = (name: string): boolean => name.length >= LONG_NAME_CHARS;

/** Names of many queues begin alike: where one does not fit, its middle is left out, not its end. */
export function QueueName({ name }: { name: string }) {
  if (!isLongName(name)) return <span className="truncate">{name}</span>;
  return (
    <>
      <span className="min-w-10 shrink-[99] truncate">{name.slice(0, -TAIL_CHARS)}</span>
      <span className="overflow-hidden whitespace-pre">{name.slice(-TAIL_CHARS)}</span>
    </>
  );
}
