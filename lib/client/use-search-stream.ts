'use client';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { PAGE_LIMIT_DEFAULT, paths } from '@/lib/contract/api';
import { searchEventSchema } from '@/lib/contract/dead';
import { ApiError, withQuery } from './api';
import { readLines } from './ndjson';
import { reduceSearch, SEARCH_IDLE, type SearchState } from './search-state';

export interface SearchStream extends SearchState {
  /** Goes on where it ended, was stopped or broke off, for another page of matches. Nothing when everything was seen. */
  more: () => void;
  /** Starts anew. */
  again: () => void;
  /** Stops; what was found stays. */
  stop: () => void;
}

/**
 * The dead letters that match, as they are found: for terms that no index answers (payload, free text). One search at a
 * time: another query, or leaving the page, ends the one before on the server, too.
 */
export function useSearchStream(
  q: string,
  { limit = PAGE_LIMIT_DEFAULT, enabled = true }: { limit?: number; enabled?: boolean } = {},
): SearchStream {
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
    if (enabled) start(null);
    return () => running.current?.abort();
  }, [enabled, start]);

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
    for await (const events of readLines(path, { schema: searchEventSchema, signal })) {
      // What was on its way when another search began is not its.
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
