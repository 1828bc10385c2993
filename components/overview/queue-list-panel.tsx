'use client';
import { useRef } from 'react';
import { useListKeys } from '@/components/shared/use-list-keys';
import { Button } from '@/components/ui/controls/button';
import { Input } from '@/components/ui/controls/input';
import { Select } from '@/components/ui/controls/select';
import { Search } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import { Pagination } from '@/components/ui/tables/pagination';
import type { QueueSort } from '@/lib/contract/queues/queue-limits';
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import type { useQueueList } from './use-queue-list';

/** The filter bar is shown from this many queues on. */
const BAR_FROM_QUEUES = 20;

const SORTS: Readonly<Record<QueueSort, string>> = {
  trouble: 'Worst first',
  name: 'Name',
  ready: 'Most ready',
  oldest: 'Oldest ready job',
  'in-flight': 'Most in-flight',
  scheduled: 'Most scheduled',
  retry: 'Most in retry',
  held: 'Most held',
  dead: 'Most dead',
  arrival: 'Highest arrival rate',
  completed: 'Highest completion rate',
  failing: 'Highest failure rate',
  drain: 'Longest to drain',
  workers: 'Most workers',
};
const OPTIONS = Object.entries(SORTS).map(([value, label]) => ({ value, label }));
const isSort = (value: string): value is QueueSort => Object.hasOwn(SORTS, value);

type List = ReturnType<typeof useQueueList>;

/** The list of queues, with filter and pages where there are many. */
export function QueueListPanel({
  list,
  total,
  children,
}: {
  list: List;
  total: number | undefined;
  children: React.ReactNode;
}) {
  const { view, page, isAsked } = list;
  const region = useRef<HTMLDivElement>(null);
  useListKeys(region);
  const isEmpty = page?.matching === 0 && view.q !== '';
  return (
    <Panel flush id="queues" className="scroll-mt-16">
      {total !== undefined && (total >= BAR_FROM_QUEUES || isAsked) && (
        <QueueListBar list={list} all={total} />
      )}
      {isEmpty ? (
        <NoQueueMatches list={list} />
      ) : (
        <div ref={region} {...list.hold}>
          {children}
        </div>
      )}
      {page && !isEmpty && (isAsked || page.nextCursor !== null || page.unread > 0) && (
        <QueueListPages list={list} page={page} />
      )}
    </Panel>
  );
}

/** Filter and order of the list, held by the URL. */
function QueueListBar({ list: { view, setView, page }, all }: { list: List; all: number }) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-2">
      <div className="w-64 max-sm:w-full">
        <Input
          type="search"
          aria-label="Filter queues by name"
          placeholder="Filter by name"
          maxLength={100}
          icon={<Search className="size-3.5" />}
          value={view.q}
          onChange={({ target }) => setView({ q: target.value || null, cursor: null })}
        />
      </div>
      <div className="w-48 max-sm:w-full">
        <Select
          aria-label="Sort queues"
          options={OPTIONS}
          value={view.sort}
          onChange={({ target }) => {
            if (isSort(target.value)) setView({ sort: target.value, order: null, cursor: null });
          }}
        />
      </div>
      <p className="ml-auto text-muted text-xs max-sm:ml-0">
        {page && page.matching < all ? `${fullNumber(page.matching)} of ` : ''}
        {count(all, 'queue')}
      </p>
    </div>
  );
}

function NoQueueMatches({ list: { view, setView } }: { list: List }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-3 py-6 text-muted text-sm">
      <p className="min-w-0 break-words">No queue has “{view.q}” in its name.</p>
      <Button size="sm" onClick={() => setView({ q: null, cursor: null })}>
        Clear the filter
      </Button>
    </div>
  );
}

function QueueListPages({ list, page }: { list: List; page: Overview }) {
  const { view, setView, isPending, missing } = list;
  return (
    <Pagination
      shown={page.queues.length + missing}
      total={page.matching}
      noun="queues"
      note={turnsNote(page)}
      isFirst={view.cursor === null}
      hasNext={page.nextCursor !== null}
      onFirst={() => setView({ cursor: null })}
      onNext={() => setView({ cursor: page.nextCursor })}
      pending={isPending}
    />
  );
}

/** Older numbers are mentioned. */
const OLD_MS = 2_000;

function turnsNote({ at, oldestAt, unread, total }: Overview): string | undefined {
  const words: string[] = [];
  if (at - oldestAt > OLD_MS)
    words.push(
      `${fullNumber(total)} queues are read in turns: numbers are up to ${Math.ceil((at - oldestAt) / 1_000)} s old`,
    );
  if (unread > 0) words.push(`${fullNumber(unread)} not read yet`);
  return words.length > 0 ? words.join('; ') : undefined;
}
