'use client';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { paths } from '@/lib/contract/api-paths';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { Suggestion } from '@/lib/contract/search/search-schemas';
import { type ApiError, request, withQuery } from '../api/api-client';
import { keys } from '../api/query-keys';
import { reply } from '../api/reply-schemas';

/** Suggestions are read once typing pauses for this long. */
const REST_MS = 120;

/** Suggestions with the text and caret they are for, so that they are not applied to another text. */
export interface Suggested {
  readonly q: string;
  readonly caret: number;
  readonly suggestions: readonly Suggestion[];
}

/** Suggestions at the caret. The previous ones stay until the new ones arrive. */
export function useSuggest(
  q: string,
  caret: number,
  state: JobState = 'dead',
  queue: string | null = null,
  { enabled = true }: { enabled?: boolean } = {},
): UseQueryResult<Suggested, ApiError> {
  const rested = useDebounced(`${caret} ${q}`, REST_MS);
  const [at = '0', ...words] = rested.split(' ');
  const asked = words.join(' ');
  return useQuery<Suggested, ApiError>({
    networkMode: 'always',
    // Not worth a retry: the next letter sends another request.
    retry: false,
    enabled,
    queryKey: keys.suggest(asked, Number(at), state, queue),
    queryFn: async ({ signal }) => {
      const caretAt = Number(at);
      const path = withQuery(paths.suggest(), { q: asked, caret: caretAt, state, queue });
      const { suggestions } = await request(path, { schema: reply('suggestionsSchema'), signal });
      return { q: asked, caret: caretAt, suggestions };
    },
    staleTime: 10_000,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });
}

/** The text once it has not changed for `restMs`. */
export function useDebounced(text: string, restMs: number): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text, restMs]);
  return rested;
}
