'use client';
import { urlOneOf, urlText, useUrlState, withFallback } from '@/components/shared/url-state';
import { JOB_STATES } from '@/lib/contract/jobs/job-states';

const PARSERS = {
  state: withFallback(urlOneOf(JOB_STATES), 'ready'),
  q: withFallback(urlText, ''),
  cursor: urlText,
};

/** State, query and list page, held by the URL. */
export function useQueueView() {
  const [{ state, q, cursor }, set] = useUrlState(PARSERS, 'push');
  return {
    state,
    /** See docs/search.md. */
    q,
    cursor,
    search: (next: string) => set({ q: next, cursor: null }),
    setCursor: (next: string | null) => set({ cursor: next }),
  };
}
