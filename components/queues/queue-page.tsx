'use client';
import { LoadError } from '@/components/shared/load-error';
import { Callout } from '@/components/ui/callout';
import { lazyPart } from '@/components/ui/lazy-part';
import { Panel } from '@/components/ui/panel';
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton';
import { useGrant } from '@/lib/browser/access/use-permissions';
import { useQueue } from '@/lib/browser/queues/use-queue';
import { scopeHasQueue, scopeReachesQueue } from '@/lib/contract/access/grant-scopes';
import type { QueueNumbers } from '@/lib/contract/queues/queue-schemas';
import { plural } from '@/lib/format/plural';
import { HistoryPlace } from '../shared/history/history-place';
import { EMPTY_ROWS } from '../shared/job-lists/use-row-room';
import { QueueNotFound } from '../shared/queue-not-found';
import { expectedRows, hasBreakdown, isPartial } from '../shared/queue-state';
import { LedgerPanel } from './ledger-panel';
import { QueueMetrics, TotalsPanel } from './queue-metrics';
import { StateFlow } from './state-flow';
import { useQueueView } from './use-queue-view';

/** The numbers of the queue come first; what has data of its own loads beside it. */
const BreakdownPanel = lazyPart(
  () => import('./breakdown/breakdown-panel').then((module) => module.BreakdownPanel),
  // As high as what comes, so that nothing below it moves.
  ({ queue }) => (
    <Panel title="Breakdown" className={hasBreakdown(queue) ? 'h-[16.5rem]' : 'h-[5.625rem]'}>
      <Skeleton className="mt-3 w-1/2" />
    </Panel>
  ),
  { soon: true },
);
const QueueJobsPanel = lazyPart(
  () => import('./queue-jobs-panel').then((module) => module.QueueJobsPanel),
  ({ queue }) => <JobsSkeleton queue={queue} />,
  { soon: true },
);
const QueueHistory = lazyPart(
  () => import('./queue-history').then((module) => module.QueueHistory),
  <HistoryPlace title="History" charts={6} />,
  { soon: true },
);

/** One queue: counts, pauses, metrics and jobs. */
export function QueuePage({ queue: name }: { queue: string }) {
  const query = useQueue(name);
  const { data: queue, error } = query;
  const part = usePartOf(name);
  if (queue) return <QueueBody queue={queue} />;
  if (part) return <PartOfQueue name={name} />;
  if (queue === null) return <QueueNotFound queue={name} />;
  if (!error) return <QueueSkeleton />;
  return <LoadError title="The queue could not be loaded" query={query} />;
}

function QueueBody({ queue }: { queue: QueueNumbers }) {
  const { state } = useQueueView();
  return (
    <div className="flex flex-col gap-3 px-4 pb-6 max-sm:px-2">
      {isPartial(queue) && <PartialNote shards={queue.shards} />}
      <div className="grid gap-3 [&>*]:min-w-0 min-[1400px]:grid-cols-[minmax(0,1fr)_18rem] min-[1400px]:grid-rows-[minmax(10rem,auto)_auto]">
        <StateFlow queue={queue} current={state} />
        <div className="col-span-full flex flex-col gap-3">
          <QueueMetrics queue={queue} />
          <BreakdownPanel queue={queue} />
          <QueueJobsPanel key={`${queue.queue} ${state}`} name={queue.queue} queue={queue} />
          <QueueHistory name={queue.queue} objectives={queue.objectives} />
          <TotalsPanel queue={queue} />
        </div>
        {/* Below all others where there is no room beside the flow: so it comes last, and moves nothing while the page arrives. */}
        <div className="min-[1400px]:col-start-2 min-[1400px]:row-start-1">
          <LedgerPanel queue={queue} />
        </div>
      </div>
    </div>
  );
}

/** Whether the user has access to some tenants of the queue only. */
function usePartOf(name: string): boolean {
  const view = useGrant('view');
  return scopeReachesQueue(view, name) && !scopeHasQueue(view, name);
}

/** Jobs only: counts, rates, pauses and ledger cover all tenants. */
function PartOfQueue({ name }: { name: string }) {
  const { state } = useQueueView();
  return (
    <div className="grid gap-3 px-4 pb-6 max-sm:px-2 [&>*]:min-w-0">
      <Callout title="You have access to some tenants of this queue.">
        The list shows the jobs of these tenants. You don't have access to numbers of the whole queue.
      </Callout>
      <QueueJobsPanel key={state} name={name} queue={null} />
    </div>
  );
}

/** Says that numbers exclude unreachable shards. */
function PartialNote({ shards: { count, unavailable } }: Pick<QueueNumbers, 'shards'>) {
  const readable = count - unavailable.length;
  return (
    <Callout tone="bad" title="Partial data">
      {plural(unavailable.length, 'Shard', 'Shards')} {unavailable.join(', ')} of {count} cannot be reached.
      The numbers count the other {readable}: the queue holds at least that much. Jobs on the missing shards
      are kept and continue when the shards are back.
    </Callout>
  );
}

/** Has the layout of the page, so that nothing moves when data arrives. */
function QueueSkeleton() {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-3 px-4 pb-6 max-sm:px-2">
      <span className="sr-only">Loading</span>
      <div className="grid gap-3 min-[1400px]:grid-cols-[minmax(0,1fr)_18rem]">
        <Panel className="h-38">
          <Skeleton className="h-8 w-full" />
          <Skeleton className="mx-auto mt-8 h-8 w-4/5" />
        </Panel>
        <Panel className="max-[1399px]:hidden">
          <Skeleton className="w-1/3" />
          <Skeleton className="mt-4 w-4/5" />
          <Skeleton className="mt-4 w-3/5" />
        </Panel>
      </div>
      <Panel className="h-16">
        <Skeleton className="mt-3 w-3/4" />
      </Panel>
      <Panel className="h-65">
        <Skeleton className="mt-3 w-1/2" />
      </Panel>
      <JobsSkeleton queue={null} />
    </div>
  );
}

/** Of the list of jobs: all but its rows, and a row. */
const [FRAME_REM, ROW_REM] = [13.75, 1.75];

/** As high as the list of jobs. */
function JobsSkeleton({ queue }: { queue: QueueNumbers | null }) {
  const { state, q } = useQueueView();
  const rows = expectedRows(queue, state, q) ?? 20;
  const height = `${FRAME_REM + ROW_REM * (rows || EMPTY_ROWS)}rem`;
  return (
    <Panel title="Jobs" flush className="overflow-hidden" style={{ height }}>
      <Skeleton className="m-3 h-4 w-2/3" />
      <Skeleton className="m-3 mt-6 h-4 w-4/5" />
      <table className="mt-12 w-full">
        <tbody>
          <SkeletonRows columns={6} rows={12} />
        </tbody>
      </table>
    </Panel>
  );
}
