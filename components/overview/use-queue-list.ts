'use client';
/** The listed queues: from the latest frame while it holds all, else a page filtered and sorted by the server. */
import { keepPreviousData } from '@tanstack/react-query';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { withQuery } from '@/lib/browser/api/api-client';
import { REFETCH_MS, useApiQuery } from '@/lib/browser/api/query-defaults';
import { keys } from '@/lib/browser/api/query-keys';
import { useDebounced } from '@/lib/browser/search/use-suggest';
import { paths } from '@/lib/contract/api-paths';
import { QUEUE_SORTS } from '@/lib/contract/queues/queue-limits';
import { type Overview, queuePageSchema } from '@/lib/contract/queues/queue-schemas';
import { worstFirst } from './queue-ranking';

const PAGE_QUEUES = 100;
/** Waits this long for further typing. */
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
  const rested = { ...view, q: useDebounced(view.q, REST_MS) };
  const asked = useApiQuery(
    keys.queuePage(rested),
    withQuery(paths.queues(), { ...rested, limit: PAGE_QUEUES }),
    queuePageSchema,
    { enabled: isAsked || isCut, refetchInterval: REFETCH_MS, placeholderData: keepPreviousData },
  );
  const page = isAsked || isCut ? asked.data : undefined;
  const fromFrame = overview && !isAsked && !isCut ? worstFirst(overview.queues) : null;
  // A refetch of the same page is not pending, or the buttons would flicker.
  return {
    view,
    setView,
    isAsked,
    page,
    queues: page?.queues ?? fromFrame,
    isPending: asked.isPlaceholderData,
  };
}
