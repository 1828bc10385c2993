'use client';
import { Search } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Pagination } from '@/components/ui/pagination';
import { Select } from '@/components/ui/select';
import type { Overview, QueuePage, QueueSort } from '@/lib/contract/queue';
import { full } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import type { useQueueList } from './use-queue-list';

/** With fewer queues the list is read faster than a filter is typed. */
export const BAR_FROM_QUEUES = 20;

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

/** Filter and order of the list. Both stand in the address, so a view can be sent to somebody. */
export function QueueListBar({ list: { view, setView, page }, all }: { list: List; all: number }) {
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
          onChange={({ target }) => void setView({ q: target.value || null, cursor: null })}
        />
      </div>
      <div className="w-48 max-sm:w-full">
        <Select
          aria-label="Sort queues"
          options={OPTIONS}
          value={view.sort}
          onChange={({ target }) => {
            if (isSort(target.value)) void setView({ sort: target.value, order: null, cursor: null });
          }}
        />
      </div>
      <p className="ml-auto text-muted text-xs max-sm:ml-0" data-slot="queues-found">
        {page && page.matching < all ? `${full(page.matching)} of ` : ''}
        {count(all, 'queue')}
      </p>
    </div>
  );
}

/** No queue has what is asked for in its name. */
export function NothingFound({ list: { view, setView } }: { list: List }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-3 py-6 text-muted text-sm">
      <p className="min-w-0 break-words">No queue has “{view.q}” in its name.</p>
      <Button size="sm" onClick={() => void setView({ q: null, cursor: null })}>
        Clear the filter
      </Button>
    </div>
  );
}

/** Where the page stands in the list, and how old its oldest row is. */
export function QueueListPages({ list, page }: { list: List; page: QueuePage }) {
  const { view, setView, isPending } = list;
  return (
    <Pagination
      shown={page.queues.length}
      total={page.matching}
      noun="queues"
      note={turnsNote(page)}
      isFirst={view.cursor === null}
      hasNext={page.nextCursor !== null}
      onFirst={() => void setView({ cursor: null })}
      onNext={() => void setView({ cursor: page.nextCursor })}
      pending={isPending}
    />
  );
}

/** Numbers older than that are worth a word. */
const OLD_MS = 2_000;

function turnsNote({ at, oldestAt, unread, total }: Overview): string | undefined {
  const words: string[] = [];
  if (at - oldestAt > OLD_MS)
    words.push(
      `${full(total)} queues are read in turns: numbers are up to ${Math.ceil((at - oldestAt) / 1_000)} s old`,
    );
  if (unread > 0) words.push(`${full(unread)} not read yet`);
  return words.length > 0 ? words.join('; ') : undefined;
}
