'use client';
import { SearchX } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { Kbd } from '@/components/ui/kbd';
import { NavTabs } from '@/components/ui/nav-tabs';
import { Pagination } from '@/components/ui/pagination';
import { Panel } from '@/components/ui/panel';
import { DataAge } from '@/components/ui/relative-time';
import { STATE_LOOK } from '@/components/ui/state-badge';
import { Switch } from '@/components/ui/switch';
import { links } from '@/lib/client/links';
import { needsRows } from '@/lib/client/needs-rows';
import { useJobs } from '@/lib/client/use-jobs';
import { useQueryBar } from '@/lib/client/use-query-bar';
import type { JobPage } from '@/lib/contract/job';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { JOB_STATES } from '@/lib/contract/states';
import { full } from '@/lib/format/number';
import { JobsBulk } from './jobs-bulk';
import { JobsQuery } from './jobs-query';
import { JobsTable } from './jobs-table';
import { useQueueView } from './use-queue-view';
import { useSlashKey } from './use-row-keys';

/** The jobs of the chosen state, a page at a time, kept fresh unless frozen. `queue` is null for who may see only some tenants' jobs. */
export function JobsPanel({ name, queue }: { name: string; queue: QueueSnapshot | null }) {
  const { state, q, cursor, search, setCursor } = useQueueView();
  const [frozen, setFrozen] = useState(false);
  const bar = useQueryBar({ q, apply: search, state, queue: name });
  // Reading payloads every two seconds would cost more than it tells: such a list is read once.
  const heavy = bar.filter !== null && needsRows(bar.filter);
  useSlashKey(bar.input);
  const {
    data: page,
    error,
    refetch,
    isFetching,
    isPlaceholderData,
  } = useJobs(name, state, {
    q: bar.filter === null ? '' : q,
    cursor,
    paused: frozen || heavy,
  });
  return (
    <Panel
      title="Jobs"
      flush
      aside={
        <>
          <span className="flex items-center gap-1 max-lg:hidden">
            <Kbd>j</Kbd> <Kbd>k</Kbd> move, <Kbd>Enter</Kbd> opens, <Kbd>/</Kbd> queries
          </span>
          <JobsBulk queue={name} state={state} q={q} disabled={bar.filter === null || page?.total === 0} />
          <Switch label="Freeze the list" checked={frozen} onCheckedChange={setFrozen} />
          <DataAge at={page?.at} staleAfterMs={frozen || heavy ? Number.POSITIVE_INFINITY : 10_000} />
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
            atLeast: queue !== null && queue.shards.unavailable.length > 0,
            icon: <Icon aria-hidden className={text} />,
          };
        })}
      />
      <JobsQuery bar={bar} state={state} />
      {bar.filter === null ? (
        <EmptyState
          icon={<SearchX />}
          title="This query cannot be read"
          action={<Button onClick={bar.clear}>Clear the query</Button>}
        >
          What is wrong with it stands below the field; nothing was searched for.
        </EmptyState>
      ) : error && !page ? (
        <ErrorState
          title="These jobs could not be loaded"
          message={error.detail}
          reference={error.requestId ?? undefined}
          retrying={isFetching}
          onRetry={() => (error.code === 'BAD_CURSOR' ? setCursor(null) : void refetch())}
        />
      ) : (
        <>
          <JobsTable name={name} queue={queue} state={state} jobs={page?.jobs ?? null} filtered={q !== ''} />
          <Pagination
            shown={page?.jobs.length ?? 0}
            total={page?.exact === false ? null : page?.total}
            note={page && scanNote(page)}
            noun={`${state} jobs`}
            isFirst={cursor === null}
            hasNext={page !== undefined && page.nextCursor !== null}
            pending={isPlaceholderData}
            onFirst={() => setCursor(null)}
            onNext={() => setCursor(page?.nextCursor ?? null)}
          />
        </>
      )}
    </Panel>
  );
}

/** How far a search has come whose budget ended before the page was full. */
function scanNote({ exact, total, scan, nextCursor }: JobPage): string | undefined {
  if (exact !== false) return undefined;
  const atLeast = `at least ${full(total)} match`;
  return scan && nextCursor !== null && scan.scanned < scan.of
    ? `${atLeast}; ${full(scan.scanned)} of ${full(scan.of)} scanned, Next goes on`
    : atLeast;
}
