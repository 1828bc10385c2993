'use client';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { JOB_STATES, type JobState } from '@/lib/contract/states';

export interface QueueViewState {
  state: JobState;
  cursor: string | null;
  setCursor: (cursor: string | null) => void;
}

/** What the page shows, held by the URL: the tab and the page of its list. */
export function useQueueView(): QueueViewState {
  const [{ state, cursor }, set] = useQueryStates(
    {
      state: parseAsStringLiteral(JOB_STATES).withDefault('ready'),
      cursor: parseAsString,
    },
    { history: 'push' },
  );
  return { state, cursor, setCursor: (next) => void set({ cursor: next }) };
}
