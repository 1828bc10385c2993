'use client';
import type { RefObject } from 'react';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import {
  isSelectionEmpty,
  JOB_LIST,
  type ListSelection,
  pageState,
  rowKey,
  type SelectedJob,
  type SelectionEvent,
} from './list-selection';
import { useJobList } from './use-job-list';

interface SelectableJobs {
  readonly jobs: readonly JobSummary[];
  /** The rows belong to another query: no key reaches them. */
  readonly pending?: boolean;
  readonly selection: ListSelection<SelectedJob>;
  readonly send: (event: SelectionEvent<SelectedJob>) => void;
  /** There is an operation that the user may start; if not, selecting is useless. */
  readonly acts: boolean;
  /** Left out where jobs cannot be re-driven. */
  readonly redrive?: ((jobs: readonly SelectedJob[]) => void) | undefined;
}

/** Selecting rows of a list of jobs by mouse and keys; what a DataTable needs for it. */
export function useSelectableJobs(
  region: RefObject<HTMLElement | null>,
  { jobs, pending = false, selection, send, acts, redrive }: SelectableJobs,
) {
  const page = pending ? [] : jobs;
  const isSelected = (job: JobSummary) => selection.everything || selection.rows.has(rowKey(job));
  const onToggle = (job: JobSummary, select: boolean, range: boolean) =>
    send({ type: 'toggle', row: job, select, range, page });
  useJobList(region, page, {
    toggle: (index, range) => {
      const job = page[index];
      if (job && acts) onToggle(job, !isSelected(job), range);
    },
    clear: () => send({ type: 'clear' }),
    ...(redrive
      ? {
          redrive: (index: number) => {
            const job = page[index];
            if (!isSelectionEmpty(selection)) redrive([...selection.rows.values()]);
            else if (job) redrive([job]);
          },
        }
      : {}),
  });
  if (!acts) return undefined;
  return {
    state: pageState(JOB_LIST, selection, jobs),
    rowLabel: (job: JobSummary) => `Select job ${job.jobId}`,
    isSelected,
    onToggle,
    onToggleAll: (select: boolean) => send({ type: 'page', select, page }),
  };
}
