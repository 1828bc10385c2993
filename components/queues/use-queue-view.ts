'use client';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { JOB_STATES } from '@/lib/contract/jobs/job-states';

/** State, query and list page, held by the URL. */
export function useQueueView() {
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
    /** See docs/search.md. */
    q,
    cursor,
    search: (next: string) => void set({ q: next, cursor: null }),
    setCursor: (next: string | null) => void set({ cursor: next }),
  };
}
