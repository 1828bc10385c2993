'use client';
import { useState } from 'react';
import { JobList } from '@/components/shared/job-lists/job-list';
import { isSelectionEmpty, JOB_LIST, useListSelection } from '@/components/shared/job-lists/list-selection';
import { countLabel } from '@/components/shared/job-lists/match-count';
import { PausedListNotice } from '@/components/shared/job-lists/paused-list-notice';
import { useOpenJob } from '@/components/shared/job-lists/use-open-job';
import { LoadError } from '@/components/shared/load-error';
import { QueryChips } from '@/components/shared/query/query-chips';
import { QueryField } from '@/components/shared/query/query-field';
import { InvalidQuery } from '@/components/shared/query/query-problem';
import { STATE_LOOK } from '@/components/shared/state-badge';
import { newRowsLabel, useListHold } from '@/components/shared/use-list-hold';
import { usePageKeys } from '@/components/shared/use-list-keys';
import { Switch } from '@/components/ui/controls/switch';
import { Kbd } from '@/components/ui/kbd';
import { NavTabs } from '@/components/ui/nav-tabs';
import { Panel } from '@/components/ui/panel';
import { Pagination } from '@/components/ui/tables/pagination';
import { DataAge } from '@/components/ui/text/relative-time';
import { useJobs, useNewestJobs } from '@/lib/browser/jobs/use-jobs';
import { links } from '@/lib/browser/links';
import { isFullScan } from '@/lib/browser/search/is-full-scan';
import { type QueryBar, useQueryBar } from '@/lib/browser/search/use-query-bar';
import type { JobPage } from '@/lib/contract/jobs/job-schemas';
import { JOB_STATE_MEANING, JOB_STATES, type JobState } from '@/lib/contract/jobs/job-states';
import { stateNoun } from '@/lib/contract/operations/operation-text';
import type { QueueNumbers } from '@/lib/contract/queues/queue-schemas';
import { fullNumber } from '@/lib/format/number';
import { expectedRows, isPartial } from '../shared/queue-state';
import { JobsOperationMenu } from './jobs-operation-menu';
import { useQueueView } from './use-queue-view';
import { useStateColumns } from './use-state-columns';

/** A page of jobs of the chosen state. `queue` is null for users limited to some tenants. */
export function QueueJobsPanel({ name, queue }: { name: string; queue: QueueNumbers | null }) {
  const { state, q, cursor, search, setCursor } = useQueueView();
  const [frozen, setFrozen] = useState(false);
  const [selection, send] = useListSelection(JOB_LIST, q);
  const hold = useListHold();
  const open = useOpenJob().job !== null;
  const touched = hold.held || open || !isSelectionEmpty(selection);
  const columns = useStateColumns(name, queue, state);
  const bar = useQueryBar({ q, apply: search });
  // Queries on payloads are too expensive to repeat every two seconds.
  const heavy = bar.filter ? isFullScan(bar.filter) : false;
  usePageKeys({ '/': () => bar.input.current?.focus() });
  const query = useJobs(name, state, {
    q: bar.filter === null ? '' : q,
    cursor,
    paused: frozen || heavy || touched,
  });
  const { data: page, error, refetch, isPlaceholderData } = query;
  return (
    <Panel
      title="Jobs"
      flush
      aside={
        <>
          <span className="flex items-center gap-1 max-lg:hidden">
            <Kbd>j</Kbd> <Kbd>k</Kbd> move, <Kbd>Enter</Kbd> opens, <Kbd>x</Kbd> selects, <Kbd>/</Kbd>{' '}
            searches
          </span>
          <JobsOperationMenu queue={name} state={state} q={q} disabled={!bar.filter || page?.total === 0} />
          <Switch label="Pause auto-refresh" checked={frozen} onCheckedChange={setFrozen} />
        </>
      }
    >
      <NavTabs
        label="States"
        value={state}
        items={JOB_STATES.map((value) => {
          const { label, Icon, text } = STATE_LOOK[value];
          return {
            value,
            label,
            href: links.queue(name, value, q),
            count: queue?.counts[value],
            atLeast: queue !== null && isPartial(queue),
            icon: <Icon aria-hidden className={text} />,
          };
        })}
      />
      <JobsQuery bar={bar} state={state} queue={name} />
      {bar.filter === null ? (
        <InvalidQuery onClear={bar.clear} />
      ) : error && !page ? (
        <LoadError
          title="These jobs could not be loaded"
          query={query}
          onRetry={() => (error.code === 'BAD_CURSOR' ? setCursor(null) : void refetch())}
        />
      ) : (
        <JobList
          name="jobs"
          label={`${state} jobs of ${name}`}
          view={`${state} ${q}`}
          state={state}
          queue={name}
          columns={columns}
          rows={{
            jobs: page?.jobs ?? null,
            matching: page ? { count: page.total, exact: page.exact !== false } : null,
          }}
          summary={(matching) => `${countLabel(matching)} ${stateNoun(state, matching.count)}`}
          empty={<NoJobs state={state} q={q} isWhole={!page || isWholePage(page)} />}
          everything={{ state, q, queue: name }}
          expected={expectedRows(queue, state, q)}
          selection={selection}
          send={send}
          hold={hold}
          aside={
            <>
              {touched && !frozen && !heavy && page && (
                <NewJobsNotice
                  list={{ name, state, q, cursor }}
                  page={page}
                  onRefresh={() => (cursor === null ? void refetch() : setCursor(null))}
                />
              )}
              <DataAge
                at={page?.at}
                staleAfterMs={frozen || heavy || touched ? Number.POSITIVE_INFINITY : 10_000}
              />
            </>
          }
          footer={
            <Pagination
              shown={page?.jobs.length ?? null}
              total={page?.exact === false ? null : page?.total}
              note={page && scanNote(page)}
              noun={`${state} jobs`}
              isFirst={cursor === null}
              hasNext={page !== undefined && page.nextCursor !== null}
              pending={isPlaceholderData}
              onFirst={() => setCursor(null)}
              onNext={() => setCursor(page?.nextCursor ?? null)}
            />
          }
        />
      )}
    </Panel>
  );
}

/** Every job was looked at. */
const isWholePage = ({ exact = true, nextCursor, unavailable = [] }: JobPage): boolean =>
  exact && nextCursor === null && unavailable.length === 0;

function NoJobs({ state, q, isWhole }: { state: JobState; q: string; isWhole: boolean }) {
  return (
    <>
      {isWhole
        ? q === ''
          ? `No ${state} jobs.`
          : `No ${state} job matches.`
        : `No ${state} job found so far: not all were looked at.`}
      <span className="block text-faint text-xs">
        {STATE_LOOK[state].label}: {JOB_STATE_MEANING[state].toLowerCase()}.
      </span>
    </>
  );
}

const idsOf = ({ jobs }: JobPage): string[] => jobs.map(({ jobId }) => jobId);

/** The number of rows that the first page has gained since it stands still. */
function NewJobsNotice({
  list: { name, state, q, cursor },
  page,
  onRefresh,
}: {
  list: { name: string; state: JobState; q: string; cursor: string | null };
  page: JobPage;
  onRefresh: () => void;
}) {
  const { data: newest } = useNewestJobs(name, state, q);
  const label =
    newest && cursor === null && newest.at > page.at ? newRowsLabel(idsOf(page), idsOf(newest)) : null;
  return <PausedListNotice label={label} onRefresh={onRefresh} />;
}

/** The progress of a search that stopped at its budget. */
function scanNote({ exact, total, scan, nextCursor }: JobPage): string | undefined {
  if (exact !== false) return undefined;
  const atLeast = `at least ${fullNumber(total)} match`;
  return scan && nextCursor !== null && scan.scanned < scan.of
    ? `${atLeast}; ${fullNumber(scan.scanned)} of ${fullNumber(scan.of)} scanned, more results on the next page`
    : atLeast;
}

function JobsQuery({ bar, state, queue }: { bar: QueryBar; state: JobState; queue: string }) {
  return (
    <div className="space-y-1.5 border-line border-b px-3 py-2">
      <QueryField
        label={`Query of ${state} jobs`}
        placeholder="type:invoice.* tenant:acme payload.order.id:42"
        bar={bar}
        state={state}
        queue={queue}
      />
      <QueryChips bar={bar} />
    </div>
  );
}
