'use client';
/** Which queues the overview lists: those of the latest frame while it holds all, else a page that the server filters and sorts. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { type ApiError, request, withQuery } from '@/lib/client/api';
import { keys } from '@/lib/client/keys';
import { queryDefaults, REFETCH_MS } from '@/lib/client/query-options';
import { useRested } from '@/lib/client/use-suggest';
import { paths } from '@/lib/contract/api';
import { type Overview, QUEUE_SORTS, type QueuePage, queuePageSchema } from '@/lib/contract/queue';
import { type RankedQueue, ranked, worstFirst } from './summary';

const PAGE_QUEUES = 100;
/** A hand that types goes on sooner than this. */
const REST_MS = 200;
const QUERY = {
  q: parseAsString.withDefault(''),
  sort: parseAsStringLiteral(QUEUE_SORTS).withDefault('trouble'),
  order: parseAsStringLiteral(['asc', 'desc']),
  cursor: parseAsString,
};

export function useQueueList(overview: Overview | undefined) {
  const [view, setView] = useQueryStates(QUERY);
  const isAsked = view.q !== '' || view.sort !== 'trouble' || view.order !== null || view.cursor !== null;
  const isCut = overview !== undefined && overview.total > overview.queues.length;
  const rested = { ...view, q: useRested(view.q, REST_MS) };
  const asked = useQuery<QueuePage, ApiError>({
    ...queryDefaults,
    enabled: isAsked || isCut,
    queryKey: keys.queuePage(rested),
    queryFn: ({ signal }) =>
      request(withQuery(paths.queues(), { ...rested, limit: PAGE_QUEUES }), {
        schema: queuePageSchema,
        signal,
      }),
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  });
  const page = isAsked || isCut ? asked.data : undefined;
  const fromFrame = overview && !isAsked && !isCut ? worstFirst(overview.queues) : null;
  const queues: readonly RankedQueue[] | null = page ? page.queues.map(ranked) : fromFrame;
  // Reading the same page again must not take the buttons away every two seconds.
  return {
    view,
    setView,
    isAsked,
    isCut,
    page,
    queues,
    error: asked.error,
    isPending: asked.isPlaceholderData,
  };
}
