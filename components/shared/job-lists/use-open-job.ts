'use client';
import { urlText, useUrlState } from '@/components/shared/url-state';
import { createStore } from '@/lib/browser/store';

export interface JobRef {
  readonly queue: string;
  readonly jobId: string;
}

/** Rows of the list on show: the panel steps through them. */
export const listedJobs = createStore<readonly JobRef[]>([]);

export const isSameJob = (a: JobRef | null, b: JobRef | null): boolean =>
  a !== null && b !== null && a.queue === b.queue && a.jobId === b.jobId;

/** Reads `<queue>/<id>`; a queue's name has no slash, an id may. Null: not a job. */
export function readJobRef(text: string | null): JobRef | null {
  const slash = text?.indexOf('/') ?? -1;
  if (!text || slash < 1 || slash === text.length - 1) return null;
  return { queue: text.slice(0, slash), jobId: text.slice(slash + 1) };
}

const PARSERS = { job: urlText };

/** The job beside the list, kept in the URL so that it can be shared as a link. */
export function useOpenJob() {
  const [{ job: text }, set] = useUrlState(PARSERS);
  const job = readJobRef(text);
  return {
    job,
    /** Opens the panel, or shows another job in it. Back closes the panel. */
    show: (next: JobRef) => set({ job: `${next.queue}/${next.jobId}` }, job === null ? 'push' : 'replace'),
    close: () => set({ job: null }, 'replace'),
  };
}
