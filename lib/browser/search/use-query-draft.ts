'use client';
import { type RefObject, useState } from 'react';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { QueryError } from '@/lib/contract/search/query';
import type { Suggestion } from '@/lib/contract/search/search-schemas';
import { parseWith, type QueryLanguage, queryLanguage, useQueryLanguage } from './query-language';
import { reuseSuggestions } from './reuse-suggestions';
import { useSuggest } from './use-suggest';

const NO_OPTIONS: readonly Suggestion[] = [];

export interface QueryDraftOptions {
  /** The applied query. */
  q: string;
  apply: (q: string) => void;
  input: RefObject<HTMLInputElement | null>;
  /** Of the jobs that suggestions are read from. */
  state?: JobState;
  queue?: string | null;
}

/** The text that is being typed and what may come next. An invalid text is never applied; its error is shown on Enter, not at every letter. */
export function useQueryDraft({ q, apply, input, state = 'dead', queue = null }: QueryDraftOptions) {
  const [draft, setDraft] = useState({ text: q, caret: q.length, of: q });
  const [asked, setAsked] = useState(false);
  const [entered, setEntered] = useState(false);
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
  const submit = (next: string) => {
    setAsked(true);
    const applyWith = ({ parseQuery }: QueryLanguage) => {
      if (parseQuery(next).ok) apply(next.trim());
    };
    if (language) applyWith(language);
    else void queryLanguage.load().then(applyWith, () => undefined);
  };
  const problem: QueryError | null = parsed?.ok === false && (asked || text === q) ? parsed.error : null;
  return {
    value: text,
    /** Why the text is invalid; null while it is valid or still being typed. */
    problem,
    options: suggested ? reuseSuggestions(suggested, text, caret) : NO_OPTIONS,
    input,
    onChange: (next: string, at: number) => {
      setEntered(true);
      if (parseWith(language, next)?.ok) setAsked(false);
      write(next, at);
    },
    onCaret: (at: number) => {
      setEntered(true);
      if (at !== caret) write(text, at);
    },
    /** Inserts a suggestion and returns the caret's new position. */
    onAccept: ({ insert, from, to }: { insert: string; from: number; to: number }): number => {
      write(text.slice(0, from) + insert + text.slice(to), from + insert.length);
      return from + insert.length;
    },
    /** Applies the error's suggestion. */
    onFix: () => {
      if (parsed?.ok !== false || parsed.error.suggestion === null) return;
      const { position, length, suggestion } = parsed.error;
      const next = text.slice(0, position) + suggestion + text.slice(position + length);
      write(next, position + suggestion.length);
      submit(next);
      input.current?.focus();
    },
    onSubmit: () => submit(text),
    onClear: () => {
      write('', 0);
      setAsked(false);
      apply('');
    },
    /** Back to the applied query. */
    onGiveUp: () => {
      write(q, q.length);
      setAsked(false);
    },
  };
}
