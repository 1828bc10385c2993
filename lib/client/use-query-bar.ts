'use client';
import { type RefObject, useRef, useState } from 'react';
import type { Suggestion } from '@/lib/contract/dead';
import {
  type Filter,
  parseQuery,
  printQuery,
  QUERY_MAX_CHARS,
  type QueryError,
  type Term,
  termsOf,
  withoutTerm,
} from '@/lib/contract/query';
import type { JobState } from '@/lib/contract/states';
import { refit } from './refit';
import { useSuggest } from './use-suggest';

export interface QueryBar {
  /** What stands in the field; not yet applied unless it equals `q`. */
  text: string;
  /** Why the text cannot be read; null while it can, and while it is still being typed. */
  problem: QueryError | null;
  /** The applied query; null when that, a link's for instance, cannot be read. */
  filter: Filter | null;
  /** The applied query's conditions, one a chip. */
  terms: readonly Term[];
  options: readonly Suggestion[];
  input: RefObject<HTMLInputElement | null>;
  setText: (text: string, caret: number) => void;
  setCaret: (caret: number) => void;
  /** Puts a suggestion into the text; returns where the caret goes. */
  accept: (option: { insert: string; from: number; to: number }) => number;
  /** Puts in what the error suggests. */
  fix: () => void;
  submit: () => void;
  clear: () => void;
  /** Back to the applied query. */
  giveUp: () => void;
  removeTerm: (index: number) => void;
}

/** What a query field needs of its bar, under the field's names. */
export const fieldOf = (bar: QueryBar) => ({
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

/**
 * The state of a query field: what is typed, what is applied (`q`, held by the URL), and what could come next. A text that
 * cannot be read is never applied; why is said once Enter asked for it, not at every letter.
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
  const parsed = parseQuery(text);
  const applied = text === q ? parsed : parseQuery(q);
  const filter = applied.ok ? applied.filter : null;
  const terms = filter ? termsOf(filter) : [];
  const submit = (next: string) => {
    setAsked(true);
    if (parseQuery(next).ok) apply(next.trim());
  };
  return {
    text,
    problem: !parsed.ok && (asked || text === q) ? parsed.error : null,
    filter,
    terms,
    options: suggested ? refit(suggested, text, caret) : NO_OPTIONS,
    input,
    setText: (next, at) => {
      setEntered(true);
      if (parseQuery(next).ok) setAsked(false);
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
      if (parsed.ok || parsed.error.suggestion === null) return;
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
      if (filter && term) apply(printQuery(withoutTerm(filter, term.filter)));
    },
  };
}
