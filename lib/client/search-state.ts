/** What a streamed search has brought so far, as a pure state machine. */
import type { SearchEvent, SearchPage } from '@/lib/contract/dead';
import type { JobSummary } from '@/lib/contract/job';
import type { ApiError } from './api';

/** Beyond these the page is full: more are had by going on from the cursor, which starts a new page. */
export const STREAMED_MAX_JOBS = 2_000;

export interface SearchState {
  readonly status: 'idle' | 'running' | 'done' | 'stopped' | 'failed';
  readonly jobs: readonly JobSummary[];
  readonly progress: SearchPage['scan'] | null;
  /** Where it can go on, as far as it has come; null: nowhere yet, or everything was seen. */
  readonly cursor: string | null;
  /** How it ended; null while it runs, when it was stopped, and when it failed. */
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
  detail: 'The search broke off before it ended. What was found until then is shown.',
};

const keyOf = ({ queue, jobId }: JobSummary) => `${queue} ${jobId}`;

/** A job that went away and came back while a search went on is one row. */
function merged(known: readonly JobSummary[], arrived: readonly JobSummary[]): readonly JobSummary[] {
  const seen = new Set(known.map(keyOf));
  const fresh = arrived.filter((job) => !seen.has(keyOf(job)));
  return fresh.length === 0 ? known : [...known, ...fresh].slice(0, STREAMED_MAX_JOBS);
}
