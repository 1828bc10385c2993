'use client';
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';

export const VIEWS = ['groups', 'rows'] as const;
export type View = (typeof VIEWS)[number];

const PARSERS = {
  q: parseAsString.withDefault(''),
  view: parseAsStringLiteral(VIEWS).withDefault('groups'),
  cursor: parseAsString,
  facets: parseAsBoolean.withDefault(true),
};

export interface DeadView {
  q: string;
  view: View;
  cursor: string | null;
  /** Whether the facets stand beside the list. */
  facets: boolean;
  /** Another query, from its first page on; `view` when it is to be seen another way, too. */
  search: (q: string, view?: View) => void;
  show: (view: View) => void;
  setCursor: (cursor: string | null) => void;
  setFacets: (shown: boolean) => void;
}

/** What the page shows, held by the URL: the whole view is a link. */
export function useDeadView(): DeadView {
  const [state, set] = useQueryStates(PARSERS, { history: 'push' });
  return {
    ...state,
    search: (q, view) => void set({ q, cursor: null, ...(view ? { view } : {}) }),
    show: (view) => void set({ view, cursor: null }),
    setCursor: (cursor) => void set({ cursor }),
    setFacets: (facets) => void set({ facets }, { history: 'replace' }),
  };
}
