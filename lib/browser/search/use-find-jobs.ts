'use client';
/** Jobs by a reference: a lookup while the user types, and a search through all states when they ask for it. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { paths } from '@/lib/contract/api-paths';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { FindEvent, FindReply } from '@/lib/contract/search/find-schemas';
import { ApiError, withQuery } from '../api/api-client';
import { readLines } from '../api/ndjson-reader';
import { useApiQuery } from '../api/query-defaults';
import { keys } from '../api/query-keys';
import { reply } from '../api/reply-schemas';
import { useDebounced } from './use-suggest';

/** What a producer may choose as an id or a key; shorter texts are not worth a lookup. */
const REFERENCE = /^[\x21-\x7e]{2,200}$/;
/** Typing pauses are longer than this. */
const REST_MS = 150;

/** The text as a reference; null: it cannot be one. */
export const asReference = (typed: string): string | null =>
  REFERENCE.test(typed.trim()) ? typed.trim() : null;

export interface JobLookup {
  readonly reply: FindReply | undefined;
  readonly error: ApiError | null;
  /** The reply for this text is not here yet. */
  readonly isWaiting: boolean;
}
/** Jobs with the typed text as id, uniqueness key or idempotency key. */
export function useJobLookup(typed: string): JobLookup {
  const wanted = asReference(typed) ?? '';
  const reference = useDebounced(wanted, REST_MS);
  const isOfTyped = wanted !== '' && reference === wanted;
  const { data, error } = useApiQuery(
    keys.find(reference),
    withQuery(paths.find(), { q: reference }),
    reply('findReplySchema'),
    { enabled: isOfTyped, staleTime: 2_000, gcTime: 30_000, retry: false },
  );
  return {
    reply: isOfTyped ? data : undefined,
    error: isOfTyped ? error : null,
    isWaiting: wanted !== '' && !(isOfTyped && (data || error)),
  };
}

type End = Extract<FindEvent, { end: unknown }>['end'];
export interface ReferenceSearch {
  /** Null: nothing was searched for. */
  readonly reference: string | null;
  readonly jobs: readonly JobSummary[];
  readonly progress: { readonly scanned: number; readonly of: number } | null;
  /** Null: it is under way. */
  readonly end: End | null;
  readonly error: string | null;
}
const IDLE: ReferenceSearch = { reference: null, jobs: [], progress: null, end: null, error: null };

/** One search at a time: another one, or `clear`, ends it on the server, too. */
export function useReferenceSearch() {
  const [state, setState] = useState(IDLE);
  const running = useRef<AbortController | null>(null);
  const clear = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setState(IDLE);
  }, []);
  const start = useCallback((reference: string, budget?: number) => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    setState({ ...IDLE, reference });
    void follow(withQuery(paths.findStream(), { q: reference, budget }), own.signal, (change) => {
      if (!own.signal.aborted) setState(change);
    });
  }, []);
  useEffect(() => () => running.current?.abort(), []);
  return { search: state, start, clear };
}

type Change = (state: ReferenceSearch) => ReferenceSearch;

async function follow(path: string, signal: AbortSignal, change: (change: Change) => void): Promise<void> {
  const fail = (error: string) => change((state) => (state.end ? state : { ...state, error }));
  try {
    for await (const events of readLines(path, { schema: reply('findEventSchema'), signal }))
      for (const event of events) change((state) => reduceFind(state, event));
    fail('The search broke off. Start it again.');
  } catch (error) {
    fail(error instanceof ApiError ? error.detail : 'The search failed in this browser.');
  }
}

/** The state after one more line of the stream. */
export function reduceFind(state: ReferenceSearch, event: FindEvent): ReferenceSearch {
  if ('jobs' in event) return { ...state, jobs: [...state.jobs, ...event.jobs] };
  if ('progress' in event) return { ...state, progress: event.progress };
  if ('error' in event) return { ...state, error: event.error.detail };
  return { ...state, progress: event.end, end: event.end };
}
