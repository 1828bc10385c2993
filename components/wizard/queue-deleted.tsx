'use client';
import { RefreshCw } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { DataAge } from '@/components/ui/relative-time';
import { stateNoun } from '@/lib/contract/operation-words';
import type { Preview } from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { count as counted } from '@/lib/format/plural';

type Deletes = NonNullable<Preview['deletes']>;

/** What goes with a queue, in numbers, and what would make it anew. */
export function QueueDeleted({
  preview: { count, at },
  deletes,
  onAgain,
}: {
  preview: Preview;
  deletes: Deletes;
  onAgain: () => void;
}) {
  const { states, shards } = deletes;
  const inFlight = states.find(({ state }) => state === 'in-flight')?.count ?? 0;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <p role="status" className="text-base">
          <strong className="font-semibold text-lg">{full(count)}</strong>{' '}
          {count === 1 ? 'job goes' : 'jobs go'} with the queue
          {shards > 1 && <span className="text-muted">, in {shards} shards</span>}
        </p>
        <span className="ml-auto flex items-center gap-1.5">
          <DataAge at={at} staleAfterMs={120_000} />
          <Button size="sm" variant="ghost" onClick={onAgain}>
            <RefreshCw aria-hidden />
            Count again
          </Button>
        </span>
      </div>
      {states.length > 0 && (
        <dl aria-label="Jobs by state" className="grid max-w-sm gap-y-0.5 text-sm">
          {states.map(({ state, count: n }) => (
            <div key={state} className="flex gap-2">
              <dd className="min-w-16 text-right font-medium">{full(n)}</dd>
              <dt className="text-muted">{stateNoun(state, n)}</dt>
            </div>
          ))}
        </dl>
      )}
      {warningsOf(deletes, inFlight).map(({ title, text }) => (
        <Callout key={title} tone="warn" title={title}>
          {text}
        </Callout>
      ))}
      <p className="text-muted text-sm">
        Its history, results, settings, pauses and record of changes go, too. The audit log keeps what was
        done. A job that is enqueued later makes a new, empty queue.
      </p>
    </div>
  );
}

function warningsOf({ schedules, workers }: Deletes, inFlight: number): { title: string; text: string }[] {
  const warnings = [];
  if (inFlight > 0)
    warnings.push({
      title: `${counted(inFlight, 'job')} in flight`,
      text: 'Their handlers run on, and their effects stay. What they report afterwards is refused (STALE_CLAIM).',
    });
  if (schedules > 0)
    warnings.push({
      title: `${counted(schedules, 'schedule')} for this queue`,
      text: 'They go on, and their next job makes the queue anew. Delete or pause them first.',
    });
  if (workers > 0)
    warnings.push({
      title: `${counted(workers, 'worker')} on this queue`,
      text: 'They go on asking for jobs, and find none.',
    });
  return warnings;
}
