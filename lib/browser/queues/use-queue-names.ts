'use client';
/** Queue names to pick from: from the latest frame if it has all queues, else the server's matches for the typed text. */
import { keepPreviousData } from '@tanstack/react-query';
import { paths } from '@/lib/contract/api-paths';
import { withQuery } from '../api/api-client';
import { useApiQuery } from '../api/query-defaults';
import { keys } from '../api/query-keys';
import { reply } from '../api/reply-schemas';
import { useOverview } from '../live/use-overview';
import { useDebounced } from '../search/use-suggest';

/** Each row carries all its numbers, so longer lists are not read to their end. */
const LISTED = 25;
const NAME_MAX_CHARS = 100;
/** Typing pauses are longer than this. */
const REST_MS = 200;

export interface QueueNames {
  readonly names: readonly string[];
  /** Whether a queue has exactly the typed name; null: unknown, because the list is cut or missing. */
  readonly exists: boolean | null;
  /** How many queues match `q` in all ("": every queue); null: unknown. */
  readonly of: { readonly matching: number; readonly q: string } | null;
}

export function useQueueNames(typed: string): QueueNames {
  const overview = useOverview().data;
  const wanted = typed.trim().slice(0, NAME_MAX_CHARS);
  const q = useDebounced(wanted, REST_MS);
  const isCut = overview !== undefined && overview.total + overview.unread > overview.queues.length;
  const { data: page, isPlaceholderData } = useApiQuery(
    keys.queueNames(q),
    withQuery(paths.queues(), { q, sort: 'name', limit: LISTED }),
    reply('overviewSchema'),
    { enabled: isCut, staleTime: 10_000, gcTime: 60_000, placeholderData: keepPreviousData },
  );
  const list = isCut ? page : overview;
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
