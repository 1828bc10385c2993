'use client';
import { type RefObject, useMemo, useRef } from 'react';
import type { Filter, QueryTerm } from '@/lib/contract/search/query';
import { parseWith, useQueryLanguage } from './query-language';

export interface QueryBar {
  /** The applied query, kept in the URL. */
  q: string;
  apply: (q: string) => void;
  /** The applied query; null when it is invalid, for example from a link; undefined until the language is loaded. */
  filter: Filter | null | undefined;
  /** The applied query's conditions, one a chip. */
  terms: readonly QueryTerm[];
  /** The field that the query is typed into. */
  input: RefObject<HTMLInputElement | null>;
  clear: () => void;
  removeTerm: (index: number) => void;
}

const NO_TERMS: readonly QueryTerm[] = [];

/** The applied query of a page. The text in its field is the field's own (`useQueryDraft`): a letter renders no list again. */
export function useQueryBar({ q, apply }: Pick<QueryBar, 'q' | 'apply'>): QueryBar {
  const input = useRef<HTMLInputElement>(null);
  const language = useQueryLanguage();
  const { filter, terms } = useMemo(() => {
    const applied = parseWith(language, q);
    const read = applied === null ? undefined : applied.ok ? applied.filter : null;
    return { filter: read, terms: (read && language?.termsOf(read)) ?? NO_TERMS };
  }, [language, q]);
  return {
    q,
    apply,
    filter,
    terms,
    input,
    clear: () => apply(''),
    removeTerm: (index) => {
      const term = terms[index];
      if (language && filter && term) apply(language.printQuery(language.withoutTerm(filter, term.filter)));
    },
  };
}
