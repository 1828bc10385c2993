'use client';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { RefreshCw } from '@/components/ui/icons';
import { DataAge } from '@/components/ui/text/relative-time';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import { stateNoun } from '@/lib/contract/operations/operation-text';
import { fullNumber } from '@/lib/format/number';
import { count as counted } from '@/lib/format/plural';

type Deletes = NonNullable<Preview['deletes']>;

/** The jobs deleted with a queue, in numbers, and what would create the queue again. */
export function QueueDeletion({
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
          <strong className="font-semibold text-lg">{fullNumber(count)}</strong>{' '}
          {count === 1 ? 'job is' : 'jobs are'} deleted with the queue
          {shards > 1 && <span className="text-muted">, in {shards} shards</span>}
        </p>
        <CountAgain at={at} onAgain={onAgain} />
      </div>
      {states.length > 0 && (
        <dl aria-label="Jobs by state" className="grid max-w-sm gap-y-0.5 text-sm">
          {states.map(({ state, count: n }) => (
            <div key={state} className="flex gap-2">
              <dd className="min-w-16 text-right font-medium">{fullNumber(n)}</dd>
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
        History, results, settings, pauses and the record of changes are deleted, too. The audit log is kept.
        A job enqueued later creates a new, empty queue.
      </p>
    </div>
  );
}

/** The age of a preview, and a button that reads it again. */
export function CountAgain({ at, onAgain }: { at: number; onAgain: () => void }) {
  return (
    <span className="ml-auto flex items-center gap-1.5">
      <DataAge at={at} staleAfterMs={120_000} />
      <Button size="sm" variant="ghost" onClick={onAgain}>
        <RefreshCw aria-hidden />
        Count again
      </Button>
    </span>
  );
}

function warningsOf({ schedules, workers }: Deletes, inFlight: number): { title: string; text: string }[] {
  const warnings = [];
  if (inFlight > 0)
    warnings.push({
      title: `${counted(inFlight, 'job')} in flight`,
      text: 'Their handlers keep running and their effects stay. Their results are refused (STALE_CLAIM).',
    });
  if (schedules > 0)
    warnings.push({
      title: `${counted(schedules, 'schedule')} for this queue`,
      text: 'Their next job creates the queue again. Delete or pause them first.',
    });
  if (workers > 0)
    warnings.push({
      title: `${counted(workers, 'worker')} on this queue`,
      text: 'They keep polling and find no jobs.',
    });
  return warnings;
}
