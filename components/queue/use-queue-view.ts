'use client';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { JOB_STATES, type JobState } from '@/lib/contract/states';

export interface QueueViewState {
  state: JobState;
  /** What narrows the list; see docs/search.md. */
  q: string;
  cursor: string | null;
  search: (q: string) => void;
  setCursor: (cursor: string | null) => void;
}

/** What the page shows, held by the URL: the tab, the query and the page of its list. */
export function useQueueView(): QueueViewState {
  const [{ state, q, cursor }, set] = useQueryStates(
    {
      state: parseAsStringLiteral(JOB_STATES).withDefault('ready'),
      q: parseAsString.withDefault(''),
      cursor: parseAsString,
    },
    { history: 'push' },
  );
  return {
    state,
    q,
    cursor,
    search: (next) => void set({ q: next, cursor: null }),
    setCursor: (next) => void set({ cursor: next }),
  };
}
