'use client';
import { urlFlag, urlOneOf, urlText, useUrlState, withFallback } from '@/components/shared/url-state';

const DEAD_VIEWS = ['groups', 'rows'] as const;
type DeadViewName = (typeof DEAD_VIEWS)[number];

const PARSERS = {
  q: withFallback(urlText, ''),
  view: withFallback(urlOneOf(DEAD_VIEWS), 'groups'),
  cursor: urlText,
  /** Whether the facets are shown beside the list. */
  facets: withFallback(urlFlag, true),
};

/** The state of the page, kept in the URL so that it can be shared as a link. */
export function useDeadView() {
  const [state, set] = useUrlState(PARSERS, 'push');
  return {
    ...state,
    /** Searches from the first page on. */
    search: (q: string) => set({ q, cursor: null }),
    show: (view: DeadViewName) => set({ view, cursor: null }),
    setCursor: (cursor: string | null) => set({ cursor }),
    setFacets: (facets: boolean) => set({ facets }, 'replace'),
  };
}
export type DeadView = ReturnType<typeof useDeadView>;
