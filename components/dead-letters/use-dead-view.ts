'use client';
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';

const DEAD_VIEWS = ['groups', 'rows'] as const;
type DeadViewName = (typeof DEAD_VIEWS)[number];

const PARSERS = {
  q: parseAsString.withDefault(''),
  view: parseAsStringLiteral(DEAD_VIEWS).withDefault('groups'),
  cursor: parseAsString,
  /** Whether the facets are shown beside the list. */
  facets: parseAsBoolean.withDefault(true),
};

/** The state of the page, kept in the URL so that it can be shared as a link. */
export function useDeadView() {
  const [state, set] = useQueryStates(PARSERS, { history: 'push' });
  return {
    ...state,
    /** Searches from the first page on. */
    search: (q: string) => void set({ q, cursor: null }),
    show: (view: DeadViewName) => void set({ view, cursor: null }),
    setCursor: (cursor: string | null) => void set({ cursor }),
    setFacets: (facets: boolean) => void set({ facets }, { history: 'replace' }),
  };
}
export type DeadView = ReturnType<typeof useDeadView>;
