'use client';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { paths } from '@/lib/contract/api';
import { type Suggestion, suggestionsSchema } from '@/lib/contract/dead';
import type { JobState } from '@/lib/contract/states';
import { type ApiError, request, withQuery } from './api';
import { keys } from './keys';

/** A hand that types goes on sooner than this; only where it rests is asked about. */
const REST_MS = 120;

/** Suggestions with what they were asked for: those of an earlier caret must not be put into another text. */
export interface Suggested {
  readonly q: string;
  readonly caret: number;
  readonly suggestions: readonly Suggestion[];
}

/** What may stand at the caret. What was asked for an earlier caret is cancelled; meanwhile the old suggestions stay. */
export function useSuggest(
  q: string,
  caret: number,
  state: JobState = 'dead',
  queue: string | null = null,
  { enabled = true }: { enabled?: boolean } = {},
): UseQueryResult<Suggested, ApiError> {
  const rested = useRested(`${caret} ${q}`, REST_MS);
  const [at = '0', ...words] = rested.split(' ');
  const asked = words.join(' ');
  return useQuery<Suggested, ApiError>({
    networkMode: 'always',
    // Half-typed words are not worth a second try: the next letter asks anew.
    retry: false,
    enabled,
    queryKey: keys.suggest(asked, Number(at), state, queue),
    queryFn: async ({ signal }) => {
      const caretAt = Number(at);
      const path = withQuery(paths.suggest(), { q: asked, caret: caretAt, state, queue });
      const { suggestions } = await request(path, { schema: suggestionsSchema, signal });
      return { q: asked, caret: caretAt, suggestions };
    },
    staleTime: 10_000,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });
}

/** The text once it has not changed for a while. */
export function useRested(text: string, restMs: number): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text, restMs]);
  return rested;
}
