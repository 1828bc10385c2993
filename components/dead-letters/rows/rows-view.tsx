'use client';
import type { ComponentProps } from 'react';
import { JobList } from '@/components/shared/job-lists/job-list';
import { isSelectionEmpty, JOB_LIST, useListSelection } from '@/components/shared/job-lists/list-selection';
import type { MatchCount } from '@/components/shared/job-lists/match-count';
import { useOpenJob } from '@/components/shared/job-lists/use-open-job';
import { LoadError } from '@/components/shared/load-error';
import { useListHold } from '@/components/shared/use-list-hold';
import { Pagination } from '@/components/ui/tables/pagination';
import { DataAge } from '@/components/ui/text/relative-time';
import { isFirstPart } from '@/lib/browser/api/hydration';
import { isFullScan } from '@/lib/browser/search/is-full-scan';
import { STREAMED_MAX_JOBS } from '@/lib/browser/search/search-stream-state';
import { useSearch } from '@/lib/browser/search/use-dead-letters';
import { type SearchStream, useSearchStream } from '@/lib/browser/search/use-search-stream';
import type { Filter } from '@/lib/contract/search/query';
import { AllMatchesActions } from '../all-matches-actions';
import { DeadEmptyState } from '../dead-empty-state';
import { GroupHead } from '../groups/group-head';
import { matchLabel, type ScanState, scannedLabel } from '../labels';
import { NewRowsNotice } from '../new-rows-notices';
import { groupInQuery, queryScope } from '../query-terms';
import { useDeadView } from '../use-dead-view';
import { usePausedPage } from '../use-paused-page';
import { DEAD_COLUMNS } from './dead-columns';
import { ContinueSearch, ScanProgress } from './scan-progress';

/** The dead letters that match, one by one; for a single failure group with its summary above. */
export function RowsView({ filter }: { filter: Filter }) {
  const { q } = useDeadView();
  const group = groupInQuery(filter);
  return (
    <>
      {group !== null && <GroupHead key={group} id={group} q={q} />}
      {isFullScan(filter) ? <StreamedRows /> : <IndexedRows />}
    </>
  );
}

/** Matches of a query that indexes answer: a page at a time, refreshed every two seconds while no hand is on it. */
function IndexedRows() {
  const { q, cursor, setCursor } = useDeadView();
  const [selection, send] = useListSelection(JOB_LIST, q);
  const hold = useListHold();
  const open = useOpenJob().job !== null;
  const selected = !isSelectionEmpty(selection);
  const paused = selected || hold.held || open;
  const query = useSearch(q, { cursor, paused });
  const { error, refetch, isPlaceholderData: pending } = query;
  const { page, release } = usePausedPage(query.data, JSON.stringify([q, cursor]), {
    // Without a selection, the user's own changes show.
    paused: selected,
    settled: !pending,
  });
  const refresh = () => {
    if (cursor !== null) setCursor(null);
    void refetch().then(release);
  };
  if (error && !page)
    return (
      <LoadError
        title="The dead letters could not be loaded"
        query={query}
        onRetry={() => (error.code === 'BAD_CURSOR' ? setCursor(null) : void refetch())}
      />
    );
  const isCut = page && page.nextCursor !== null && page.scan.scanned < page.scan.of && !page.matching.exact;
  return (
    <DeadList
      rows={{
        jobs: page?.jobs ?? null,
        matching: page?.matching ?? null,
        pending: pending && !selected,
      }}
      scan={page?.scan ?? null}
      selection={selection}
      send={send}
      hold={hold}
      aside={
        <>
          {paused && page && <NewRowsNotice q={q} page={page} onRefresh={refresh} />}
          <DataAge at={page?.at} staleAfterMs={paused ? Number.POSITIVE_INFINITY : 10_000} />
        </>
      }
      footer={
        isFirstPart(query) ? null : (
          <Pagination
            shown={page?.jobs.length ?? null}
            total={page?.matching.exact ? page.matching.count : null}
            note={isCut ? `${scannedLabel(page.scan)}, more results on the next page` : undefined}
            noun="dead letters"
            isFirst={cursor === null}
            hasNext={page !== undefined && page.nextCursor !== null}
            pending={pending}
            onFirst={() => setCursor(null)}
            onNext={() => setCursor(page?.nextCursor ?? null)}
          />
        )
      }
    />
  );
}

const STREAM_BATCH = 100;

/** Matches of a query that reads payloads or messages: streamed as they are found, and not refreshed. */
function StreamedRows() {
  const { q } = useDeadView();
  const [selection, send] = useListSelection(JOB_LIST, q);
  const stream = useSearchStream(q, STREAM_BATCH);
  const { jobs, status, progress, end } = stream;
  const isFull = jobs.length >= STREAMED_MAX_JOBS;
  return (
    <DeadList
      rows={{
        jobs: jobs.length === 0 && status === 'running' ? null : jobs,
        matching: matchCountOf(stream),
      }}
      scan={progress}
      selection={selection}
      send={send}
      aside={end && <DataAge at={end.at} staleAfterMs={Number.POSITIVE_INFINITY} />}
      head={<ScanProgress stream={stream} full={isFull} />}
      footer={
        jobs.length >= STREAM_BATCH && (
          <div className="flex min-h-9 items-center justify-end px-3">
            <ContinueSearch stream={stream} full={isFull} />
          </div>
        )
      }
    />
  );
}

function DeadList({
  scan,
  ...list
}: Pick<
  ComponentProps<typeof JobList>,
  'rows' | 'selection' | 'send' | 'hold' | 'aside' | 'head' | 'footer'
> & { scan: ScanState | null }) {
  const { q, cursor } = useDeadView();
  const { matching } = list.rows;
  const mayMatch = matching !== null && (!matching.exact || matching.count > 0);
  return (
    <>
      {mayMatch && isSelectionEmpty(list.selection) && <AllMatchesActions q={q} />}
      <JobList
        name="dead"
        label="Dead letters"
        view={JSON.stringify([q, cursor])}
        state="dead"
        queue={null}
        columns={DEAD_COLUMNS}
        summary={matchLabel}
        everything={queryScope(q)}
        empty={
          // "No match" appears only when the search was complete.
          <DeadEmptyState incomplete={matching === null || mayMatch} scan={scan} />
        }
        {...list}
      />
    </>
  );
}

/** The matches found so far; null before the first progress report. */
function matchCountOf({ end, progress, jobs }: SearchStream): MatchCount | null {
  if (end) return end.matching;
  if (!progress && jobs.length === 0) return null;
  return { count: Math.max(progress?.found ?? 0, jobs.length), exact: false };
}
