import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { Panel } from '@/components/ui/panel';
import { Progress } from '@/components/ui/progress';
import { Duration, Num, Percent, Rate } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { type Tone, toneText } from '@/components/ui/tone';
import type { QueueNumbers, Totals } from '@/lib/contract/queues/queue-schemas';
import { duration } from '@/lib/format/duration';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { TimeToDrain } from '../shared/drain/time-to-drain';
import { fullness, isPartial } from '../shared/queue-state';

export function QueueMetrics({ queue }: { queue: QueueNumbers }) {
  const { rates, overdueLeaseMs, workers, objectives } = queue;
  const isSharded = queue.shards.count > 1;
  const missingWorkers = workers === 0 ? 0 : (queue.drain?.workersNeeded ?? 0);
  const window = `over the last ${duration(rates.windowMs)}`;
  return (
    <Panel className="shrink-0">
      <dl className="grid grid-cols-3 gap-x-4 gap-y-2 sm:grid-cols-4 lg:grid-cols-6 min-[1700px]:grid-cols-12">
        <Fact
          label="Oldest ready"
          title={`Objective: under ${duration(objectives.ageMs)}`}
          tone={(queue.oldestReadyAgeMs ?? 0) >= objectives.ageMs ? 'warn' : undefined}
        >
          <Duration ms={queue.oldestReadyAgeMs} />
        </Fact>
        <Fact
          label="Depth"
          title="Pending jobs (ready, scheduled, retry and held) and the depth limit"
          tone={depthTone(queue)}
        >
          <Depth queue={queue} />
        </Fact>
        <Fact label="Arrival" title={window}>
          <Rate value={rates.arrivalPerSecond} />
        </Fact>
        <Fact label="Done" title={window}>
          <Rate value={rates.completedPerSecond} />
        </Fact>
        <Fact label="Failing" title={`Share of runs that failed or were lost, ${window}`}>
          <Percent value={rates.failureRatio} />
        </Fact>
        <Fact
          label="p95 run time"
          title="95 of 100 runs of the last five minutes took at most about this long"
        >
          <Duration ms={queue.runTimeP95Ms} />
        </Fact>
        <Fact
          label="Time to drain"
          title="At the rates of the last seconds, which follow a resume or other workers at once"
        >
          <TimeToDrain queue={queue} />
        </Fact>
        <Fact label="Next due">
          <RelativeTime at={queue.nextDueAt} />
        </Fact>
        <Fact label="Workers" tone={workers === 0 ? 'bad' : undefined}>
          {workers === 0 ? 'none' : <Num value={workers} />}
          {missingWorkers > 0 && (
            <span className="font-normal text-warn text-xs">, needs {fullNumber(missingWorkers)} more</span>
          )}
        </Fact>
        <Fact label="Throttled" title="Tenants with jobs held by a rate or concurrency limit">
          {queue.throttledTenants === 0 ? 'none' : count(queue.throttledTenants, 'tenant')}
        </Fact>
        {/* Twelve facts fill the rows of every width. */}
        {isSharded ? (
          <Fact label="Shards" tone={isPartial(queue) ? 'bad' : undefined}>
            {isPartial(queue)
              ? `${queue.shards.count - queue.shards.unavailable.length} of ${queue.shards.count}`
              : queue.shards.count}
          </Fact>
        ) : (
          <Fact label="Died in 5 min">
            {queue.lastFiveMinutes.died === 0 ? 'none' : <Num value={queue.lastFiveMinutes.died} />}
          </Fact>
        )}
        <Fact label="Overdue leases" tone={overdueLeaseMs === null ? undefined : 'bad'}>
          {overdueLeaseMs === null ? 'none' : `by ${duration(overdueLeaseMs)}`}
        </Fact>
      </dl>
    </Panel>
  );
}

function Fact({
  label,
  title,
  tone,
  children,
}: {
  label: string;
  title?: string;
  tone?: Tone;
  children: ReactNode;
}) {
  return (
    <div className="min-w-0" title={title}>
      <dt className="truncate text-faint text-xs">{label}</dt>
      <dd className={cn('truncate font-medium text-base', tone && toneText[tone])}>{children}</dd>
    </div>
  );
}

function Depth({ queue }: { queue: QueueNumbers }) {
  const { jobs, limit } = queue.depth;
  const value = <Num value={jobs} atLeast={isPartial(queue)} />;
  if (limit === null) return value;
  return (
    <>
      {value}
      <span className="font-normal text-muted text-xs">
        {' '}
        of <Num value={limit} />
      </span>
      <Progress
        label="Depth against its limit"
        value={jobs}
        total={limit}
        tone={depthTone(queue) ?? 'accent'}
        text={`${fullNumber(jobs)} of ${fullNumber(limit)} jobs`}
        className="mt-0.5"
      />
    </>
  );
}

function depthTone(queue: QueueNumbers): 'bad' | 'warn' | undefined {
  const share = fullness(queue);
  return share === null ? undefined : share >= 1 ? 'bad' : 'warn';
}

const CELLS: readonly (readonly [keyof Totals, string])[] = [
  ['enqueued', 'Enqueued'],
  ['claimed', 'Claimed'],
  ['completed', 'Completed'],
  ['failed', 'Failed runs'],
  ['retried', 'Retried'],
  ['dead', 'Died'],
  ['redriven', 'Re-driven'],
  ['reclaimed', 'Reclaimed'],
  ['released', 'Released'],
  ['duplicates', 'Duplicates refused'],
  ['deleted', 'Deleted'],
];

export function TotalsPanel({ queue }: { queue: QueueNumbers }) {
  return (
    <Panel title="All-time totals">
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-x-4 gap-y-2">
        {CELLS.map(([key, label]) => (
          <div key={key}>
            <dt className="text-faint text-xs">{label}</dt>
            <dd>
              <Num value={queue.totals[key]} format="full" atLeast={isPartial(queue)} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
