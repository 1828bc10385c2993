'use client';
import { Button } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/empty-state';
import { CircleCheckBig, SearchX, Skull } from '@/components/ui/icons';
import { useOverviewPart } from '@/lib/browser/live/use-overview';
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { count, plural } from '@/lib/format/plural';
import { type ScanState, scannedLabel } from './labels';
import { useDeadView } from './use-dead-view';

const deadOf = ({ sums }: Overview): number => sums.counts.dead;

/** Says why no dead letter is listed, and how to go on. */
export function DeadEmptyState({
  collapsed = false,
  incomplete,
  scan,
}: {
  /** There are some, but their groups are resolved or muted. */
  collapsed?: boolean;
  /** Not everything was searched: there may be some. */
  incomplete: boolean;
  scan?: ScanState | null;
}) {
  const { q, search } = useDeadView();
  const hidden = useOverviewPart(deadOf) ?? 0;
  if (collapsed)
    return (
      <EmptyState icon={<CircleCheckBig />} title="No open failure groups">
        {incomplete ? 'The groups found so far are' : 'Every group that matches is'} resolved or muted.
      </EmptyState>
    );
  if (incomplete)
    return (
      <EmptyState icon={<SearchX />} title="No match so far">
        Search incomplete{scan && scan.scanned < scan.of ? `: ${scannedLabel(scan)}` : ''}. Continue, or
        narrow the query.
      </EmptyState>
    );
  if (q.trim() === '')
    return (
      <EmptyState icon={<Skull />} title="No dead letters">
        A job becomes a dead letter when its attempts are used up, its failure is permanent or its deadline
        has passed.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<Skull />}
      title="No match for this query"
      action={<Button onClick={() => search('')}>Clear the query</Button>}
    >
      {hidden > 0 && `${count(hidden, 'dead letter')} ${plural(hidden, 'is', 'are')} hidden by it.`}
    </EmptyState>
  );
}
