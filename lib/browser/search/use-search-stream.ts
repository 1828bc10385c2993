'use client';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { paths } from '@/lib/contract/api-paths';
import { ApiError, withQuery } from '../api/api-client';
import { readLines } from '../api/ndjson-reader';
import { reply } from '../api/reply-schemas';
import { reduceSearch, SEARCH_IDLE, type SearchState } from './search-stream-state';

export interface SearchStream extends SearchState {
  /** Continues after the end of a page, a stop or a failure; does nothing once the search is complete. */
  more: () => void;
  /** Starts from the beginning. */
  again: () => void;
  /** Stops; the jobs found so far stay. */
  stop: () => void;
}

/**
 * Streams the dead letters that match terms without an index (payload, free text). One search at a
 * time: another query, or leaving the page, ends the previous one on the server too.
 */
export function useSearchStream(q: string, limit: number): SearchStream {
  const [state, change] = useReducer(reduceSearch, SEARCH_IDLE);
  const running = useRef<AbortController | null>(null);

  const start = useCallback(
    (cursor: string | null) => {
      running.current?.abort();
      const own = new AbortController();
      running.current = own;
      change({ type: 'start', keep: cursor !== null });
      void follow(withQuery(paths.deadStream(), { q, cursor, limit }), own.signal, change);
    },
    [q, limit],
  );

  useEffect(() => {
    start(null);
    return () => running.current?.abort();
  }, [start]);

  const next = state.cursor;
  return {
    ...state,
    more: useCallback(() => {
      if (next !== null) start(next);
    }, [next, start]),
    again: useCallback(() => start(null), [start]),
    stop: useCallback(() => {
      running.current?.abort();
      change({ type: 'stop' });
    }, []),
  };
}

async function follow(
  path: string,
  signal: AbortSignal,
  change: (change: Parameters<typeof reduceSearch>[1]) => void,
): Promise<void> {
  try {
    for await (const events of readLines(path, { schema: reply('searchEventSchema'), signal })) {
      // Late events of the previous search are dropped.
      if (signal.aborted) return;
      change({ type: 'events', events });
    }
    if (!signal.aborted) change({ type: 'closed' });
  } catch (error) {
    if (signal.aborted) return;
    const known =
      error instanceof ApiError ? error : { code: 'BAD_REPLY', detail: 'The search failed in this browser.' };
    change({ type: 'fail', error: { code: known.code, detail: known.detail } });
  }
}
