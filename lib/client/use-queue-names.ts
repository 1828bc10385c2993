'use client';
/** Names of queues to pick from: those of the latest frame while it holds all, else what the server finds for what is typed. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { paths } from '@/lib/contract/api';
import { type QueuePage, queuePageSchema } from '@/lib/contract/queue';
import { type ApiError, request, withQuery } from './api';
import { keys } from './keys';
import { queryDefaults } from './query-options';
import { useOverview } from './use-overview';
import { useRested } from './use-suggest';

/** Each comes with all its numbers; a longer list is not read to its end. */
const LISTED = 25;
const NAME_MAX_CHARS = 100;
/** A hand that types goes on sooner than this. */
const REST_MS = 200;

export interface QueueNames {
  readonly names: readonly string[];
  /** Whether a queue has exactly the typed name; null: not known, for the list is cut or not there yet. */
  readonly exists: boolean | null;
  /** How many queues the names are a part of, and what they have in their name ("": they are all queues); null: not known yet. */
  readonly of: { readonly matching: number; readonly q: string } | null;
}

export function useQueueNames(typed: string): QueueNames {
  const overview = useOverview().data;
  const wanted = typed.trim().slice(0, NAME_MAX_CHARS);
  const q = useRested(wanted, REST_MS);
  const isCut = overview !== undefined && overview.total + overview.unread > overview.queues.length;
  const { data: page, isPlaceholderData } = useQuery<QueuePage, ApiError>({
    ...queryDefaults,
    enabled: isCut,
    queryKey: keys.queueNames(q),
    queryFn: ({ signal }) =>
      request(withQuery(paths.queues(), { q, sort: 'name', limit: LISTED }), {
        schema: queuePageSchema,
        signal,
      }),
    staleTime: 10_000,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });
  const list = isCut ? page : overview && { ...overview, matching: overview.queues.length };
  if (!list) return { names: [], exists: null, of: null };
  const names = list.queues.map(({ queue }) => queue);
  const isWhole = !isCut || (names.length === list.matching && list.unread === 0);
  const isOfTyped = !isCut || (q === wanted && !isPlaceholderData);
  return {
    names,
    exists: names.includes(wanted) || (isWhole && isOfTyped ? false : null),
    of: isOfTyped ? { matching: list.matching, q: isCut ? q : '' } : null,
  };
}
