'use client';
/** The listed queues: the first page from the latest frame, any other filtered and sorted by the server. */
import { keepPreviousData } from '@tanstack/react-query';
import { urlOneOf, urlText, useUrlState, withFallback } from '@/components/shared/url-state';
import { useHeldOrder, useListHold } from '@/components/shared/use-list-hold';
import { withQuery } from '@/lib/browser/api/api-client';
import { REFETCH_MS, useApiQuery } from '@/lib/browser/api/query-defaults';
import { keys } from '@/lib/browser/api/query-keys';
import { reply } from '@/lib/browser/api/reply-schemas';
import { useDebounced } from '@/lib/browser/search/use-suggest';
import { paths } from '@/lib/contract/api-paths';
import { FRAME_QUEUES_MAX, QUEUE_SORTS } from '@/lib/contract/queues/queue-limits';
import type { Overview, QueueRow } from '@/lib/contract/queues/queue-schemas';

/** Waits this long for further typing. */
const REST_MS = 200;
const QUERY = {
  q: withFallback(urlText, ''),
  sort: withFallback(urlOneOf(QUEUE_SORTS), 'trouble'),
  order: urlOneOf(['asc', 'desc']),
  cursor: urlText,
};

export function useQueueList(overview: Overview | undefined) {
  const [view, setView] = useUrlState(QUERY);
  const isAsked = view.q !== '' || view.sort !== 'trouble' || view.order !== null || view.cursor !== null;
  const rested = { ...view, q: useDebounced(view.q, REST_MS) };
  const asked = useApiQuery(
    keys.queuePage(rested),
    withQuery(paths.queues(), { ...rested, limit: FRAME_QUEUES_MAX }),
    reply('overviewSchema'),
    { enabled: isAsked, refetchInterval: REFETCH_MS, placeholderData: keepPreviousData },
  );
  // The frame has the first page, worst first.
  const page = isAsked ? asked.data : overview;
  const missing = isAsked || !overview ? 0 : missingOf(overview);
  const { held, handlers } = useListHold();
  const queues = useHeldOrder(
    held,
    page?.queues ?? null,
    queueOf,
    JSON.stringify([rested, isAsked, page === undefined, missing, asked.isPlaceholderData]),
  );
  // A refetch of the same page is not pending, or the buttons would flicker.
  return {
    view,
    setView,
    isAsked,
    page,
    queues,
    /** So many rows of the page are not here yet: a page comes with its first ones only. */
    missing,
    hold: handlers,
    isPending: asked.isPlaceholderData,
  };
}

const queueOf = ({ queue }: QueueRow): string => queue;

const missingOf = ({ queues, total, unread }: Overview): number =>
  Math.max(0, Math.min(FRAME_QUEUES_MAX, total - unread) - queues.length);
