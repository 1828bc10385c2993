'use client';
import Link from 'next/link';
import { createContext, useContext } from 'react';
import { isPartial } from '@/components/shared/queue-state';
import { cn } from '@/components/ui/cn';
/** Cells of a queue with more than a number. */
import { Check, CircleAlert, TriangleAlert } from '@/components/ui/icons';
import { Sparkline } from '@/components/ui/sparkline';
import { MiddleCut } from '@/components/ui/text/middle-cut';
import { Duration, Num } from '@/components/ui/text/number';
import { links } from '@/lib/browser/links';
import type { MinuteCounts, QueueRow } from '@/lib/contract/queues/queue-schemas';
import { duration } from '@/lib/format/duration';
import { fullNumber, signedNumber } from '@/lib/format/number';
import type { Level } from './queue-ranking';

/** Takes the same room at every level, so that names line up. */
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

export function InFlight({ queue }: { queue: QueueRow }) {
  const overdue = queue.overdueLeaseMs;
  const atLeast = isPartial(queue);
  if (overdue === null) return <Num value={queue.counts['in-flight']} dim atLeast={atLeast} />;
  const words = `A lease expired ${duration(overdue)} ago and has not been reclaimed yet`;
  return (
    <span title={words} className="font-medium text-bad">
      <TriangleAlert aria-hidden className="mr-1 inline size-3 align-[-1px]" />
      <Num value={queue.counts['in-flight']} atLeast={atLeast} />
      <span className="sr-only">. {words}</span>
    </span>
  );
}

/** Against the objective of the queue. */
export function OldestAge({ queue }: { queue: QueueRow }) {
  const { oldestReadyAgeMs: ageMs, objectives } = queue;
  if (ageMs === null || ageMs < objectives.ageMs) return <Duration ms={ageMs} dim />;
  return (
    <span className="font-medium text-warn" title={`Objective: under ${duration(objectives.ageMs)}`}>
      {duration(ageMs)}
      <span className="sr-only">, over its objective of {duration(objectives.ageMs)}</span>
    </span>
  );
}

export function DeadCount({ queue }: { queue: QueueRow }) {
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

export function Workers({ queue }: { queue: QueueRow }) {
  const missing = queue.workers === 0 && queue.counts.ready + queue.counts['in-flight'] > 0;
  if (!missing) return <Num value={queue.workers} dim />;
  return (
    <span className="font-medium text-bad" title="No worker listens to this queue">
      0<span className="sr-only">: no worker listens to this queue</span>
    </span>
  );
}

/** The minutes of the queues on show, by name. */
export const MinutesContext = createContext<ReadonlyMap<string, readonly MinuteCounts[]>>(new Map());

/** The minute under way would look like a fall. */
export function Spark({ queue: { queue } }: { queue: QueueRow }) {
  const minutes = useContext(MinutesContext).get(queue);
  if (minutes === undefined) return <span className="block h-5 w-16" />;
  const points = minutes.slice(0, -1).map(({ completed }) => completed);
  const sum = points.reduce((total, value) => total + value, 0);
  const peak = Math.max(0, ...points);
  return (
    <Sparkline
      points={points}
      width={64}
      color="var(--state-completed)"
      label={`Completed in the last ${points.length} whole minutes: ${fullNumber(sum)}, at most ${fullNumber(peak)} a minute`}
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
      {signedNumber(difference)}
      <span className="sr-only">: the ledger does not balance</span>
    </span>
  );
}

const TAIL_CHARS = 12;
const LONG_NAME_CHARS = 20;

/** Cuts a long name in the middle, because names often share their beginning. */
export function QueueName({ name }: { name: string }) {
  if (name.length < LONG_NAME_CHARS) return <span className="truncate">{name}</span>;
  return <MiddleCut text={name} tail={TAIL_CHARS} />;
}
