'use client';
import { type RefObject, useRef, useState } from 'react';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { Filter, QueryError, QueryTerm } from '@/lib/contract/search/query';
import { QUERY_MAX_CHARS } from '@/lib/contract/search/query/filter';
import type { Suggestion } from '@/lib/contract/search/search-schemas';
import { parseWith, type QueryLanguage, queryLanguage, useQueryLanguage } from './query-language';
import { reuseSuggestions } from './reuse-suggestions';
import { useSuggest } from './use-suggest';

export interface QueryBar {
  /** The text in the field; not applied yet unless it equals `q`. */
  text: string;
  /** Why the text is invalid; null while it is valid or still being typed. */
  problem: QueryError | null;
  /** The applied query; null when it is invalid, for example from a link; undefined until the language is loaded. */
  filter: Filter | null | undefined;
  /** The applied query's conditions, one a chip. */
  terms: readonly QueryTerm[];
  options: readonly Suggestion[];
  input: RefObject<HTMLInputElement | null>;
  setText: (text: string, caret: number) => void;
  setCaret: (caret: number) => void;
  /** Inserts a suggestion and returns the caret's new position. */
  accept: (option: { insert: string; from: number; to: number }) => number;
  /** Applies the error's suggestion. */
  fix: () => void;
  submit: () => void;
  clear: () => void;
  /** Back to the applied query. */
  giveUp: () => void;
  removeTerm: (index: number) => void;
}

/** The props of a query field. */
export const queryInputProps = (bar: QueryBar) => ({
  maxLength: QUERY_MAX_CHARS,
  value: bar.text,
  options: bar.options,
  problem: bar.problem,
  input: bar.input,
  onChange: bar.setText,
  onCaret: bar.setCaret,
  onAccept: bar.accept,
  onFix: bar.fix,
  onSubmit: bar.submit,
  onClear: bar.clear,
  onGiveUp: bar.giveUp,
});

const NO_OPTIONS: readonly Suggestion[] = [];
const NO_TERMS: readonly QueryTerm[] = [];

/**
 * State of a query field: the typed text, the applied query (`q`, kept in the URL) and suggestions. An invalid text is
 * never applied; its error is shown on Enter, not at every letter.
 */
export function useQueryBar({
  q,
  apply,
  state = 'dead',
  queue = null,
}: {
  q: string;
  apply: (q: string) => void;
  state?: JobState;
  queue?: string | null;
}): QueryBar {
  const [draft, setDraft] = useState({ text: q, caret: q.length, of: q });
  const [asked, setAsked] = useState(false);
  const [entered, setEntered] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // A chip, a facet, a link or the back button changed the applied query: the field follows.
  if (draft.of !== q) {
    setDraft({ text: q, caret: q.length, of: q });
    setAsked(false);
  }
  const { text, caret } = draft;
  const write = (next: string, at: number) => setDraft((now) => ({ ...now, text: next, caret: at }));

  const suggested = useSuggest(text, caret, state, queue, { enabled: entered }).data;
  const language = useQueryLanguage();
  const parsed = parseWith(language, text);
  const applied = text === q ? parsed : parseWith(language, q);
  const filter = applied === null ? undefined : applied.ok ? applied.filter : null;
  const terms = (filter && language?.termsOf(filter)) ?? NO_TERMS;
  const submit = (next: string) => {
    setAsked(true);
    const applyWith = ({ parseQuery }: QueryLanguage) => {
      if (parseQuery(next).ok) apply(next.trim());
    };
    if (language) applyWith(language);
    else void queryLanguage.load().then(applyWith, () => undefined);
  };
  return {
    text,
    problem: parsed?.ok === false && (asked || text === q) ? parsed.error : null,
    filter,
    terms,
    options: suggested ? reuseSuggestions(suggested, text, caret) : NO_OPTIONS,
    input,
    setText: (next, at) => {
      setEntered(true);
      if (parseWith(language, next)?.ok) setAsked(false);
      write(next, at);
    },
    setCaret: (at) => {
      setEntered(true);
      if (at !== caret) write(text, at);
    },
    accept: ({ insert, from, to }) => {
      write(text.slice(0, from) + insert + text.slice(to), from + insert.length);
      return from + insert.length;
    },
    fix: () => {
      if (parsed?.ok !== false || parsed.error.suggestion === null) return;
      const { position, length, suggestion } = parsed.error;
      const next = text.slice(0, position) + suggestion + text.slice(position + length);
      write(next, position + suggestion.length);
      submit(next);
      input.current?.focus();
    },
    submit: () => submit(text),
    clear: () => {
      write('', 0);
      setAsked(false);
      apply('');
    },
    giveUp: () => {
      write(q, q.length);
      setAsked(false);
    },
    removeTerm: (index) => {
      const term = terms[index];
      if (language && filter && term) apply(language.printQuery(language.withoutTerm(filter, term.filter)));
    },
  };
}
