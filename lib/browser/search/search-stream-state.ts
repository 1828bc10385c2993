/** State of a streamed search; pure. */

import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { SearchEvent, SearchPage } from '@/lib/contract/search/search-schemas';
import type { ApiError } from '../api/api-client';

/** The page is full at this number of jobs. */
export const STREAMED_MAX_JOBS = 2_000;

export interface SearchState {
  readonly status: 'idle' | 'running' | 'done' | 'stopped' | 'failed';
  readonly jobs: readonly JobSummary[];
  readonly progress: SearchPage['scan'] | null;
  /** The position to continue from; null: not known yet, or the search is complete. */
  readonly cursor: string | null;
  /** The final result; null while running, stopped or failed. */
  readonly end: Omit<SearchPage, 'jobs'> | null;
  readonly error: Pick<ApiError, 'code' | 'detail'> | null;
}

export const SEARCH_IDLE: SearchState = {
  status: 'idle',
  jobs: [],
  progress: null,
  cursor: null,
  end: null,
  error: null,
};

export type SearchChange =
  | { type: 'start'; keep: boolean }
  | { type: 'events'; events: readonly SearchEvent[] }
  | { type: 'stop' }
  | { type: 'fail'; error: Pick<ApiError, 'code' | 'detail'> }
  | { type: 'closed' };

export function reduceSearch(state: SearchState, change: SearchChange): SearchState {
  switch (change.type) {
    case 'start':
      return { ...(change.keep ? state : SEARCH_IDLE), status: 'running', end: null, error: null };
    case 'events':
      return change.events.reduce(applyEvent, state);
    case 'stop':
      return state.status === 'running' ? { ...state, status: 'stopped' } : state;
    case 'fail':
      return { ...state, status: 'failed', error: change.error };
    case 'closed':
      return state.status === 'running' ? { ...state, status: 'failed', error: BROKEN_OFF } : state;
  }
}

function applyEvent(state: SearchState, event: SearchEvent): SearchState {
  if ('end' in event) {
    const { scan, nextCursor } = event.end;
    return { ...state, status: 'done', progress: scan, cursor: nextCursor, end: event.end };
  }
  const cursor = 'error' in event ? state.cursor : (event.cursor ?? state.cursor);
  if ('jobs' in event) return { ...state, cursor, jobs: merged(state.jobs, event.jobs) };
  if ('progress' in event) return { ...state, cursor, progress: event.progress };
  return { ...state, status: 'failed', error: event.error };
}

const BROKEN_OFF = {
  code: 'UNREACHABLE',
  detail: 'The search failed before it was complete. The results so far are shown.',
};

const keyOf = ({ queue, jobId }: JobSummary) => `${queue} ${jobId}`;

/** A job that left and came back during the search is one row. */
function merged(known: readonly JobSummary[], arrived: readonly JobSummary[]): readonly JobSummary[] {
  const seen = new Set(known.map(keyOf));
  const fresh = arrived.filter((job) => !seen.has(keyOf(job)));
  return fresh.length === 0 ? known : [...known, ...fresh].slice(0, STREAMED_MAX_JOBS);
}
