import { describe, expect, it } from 'vitest';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import {
  isSelectionEmpty,
  JOB_LIST,
  type ListSelection,
  NO_SELECTION,
  pageState,
  reduceSelection,
  rowKey,
  type SelectedJob,
} from './list-selection';

const job = (jobId: string): JobSummary => ({
  queue: 'email',
  jobId,
  state: 'dead',
  jobType: 'email.send',
  jobVersion: 1,
  tenantId: 'default',
  priority: 0,
  createdAt: 0,
  deadline: null,
  attempt: 3,
  maxAttempts: 3,
  deliveries: 3,
  stateAt: 0,
  worker: null,
  claimedAt: null,
  errorClass: null,
  errorCode: null,
  message: null,
});
const page = ['a', 'b', 'c', 'd'].map(job);
const ids = (selection: ListSelection<SelectedJob>) => [...selection.rows.keys()];
const toggle = (selection: ListSelection<SelectedJob>, index: number, select: boolean, range = false) =>
  reduceSelection(JOB_LIST, selection, {
    type: 'toggle',
    row: page[index] as JobSummary,
    select,
    range,
    page,
  });

describe('selection', () => {
  it('ticks one, then a range from it', () => {
    const one = toggle(NO_SELECTION, 1, true);
    expect(ids(one)).toEqual(['email/b']);
    expect(ids(toggle(one, 3, true, true))).toEqual(['email/b', 'email/c', 'email/d']);
  });
  it('ticks only the row when a range has no start on this page', () => {
    expect(ids(toggle(NO_SELECTION, 2, true, true))).toEqual(['email/c']);
  });
  it('knows the state of the head', () => {
    expect(pageState(JOB_LIST, NO_SELECTION, page)).toBe('none');
    expect(pageState(JOB_LIST, toggle(NO_SELECTION, 0, true), page)).toBe('some');
    expect(
      pageState(
        JOB_LIST,
        reduceSelection(JOB_LIST, NO_SELECTION, { type: 'page', select: true, page }),
        page,
      ),
    ).toBe('all');
  });
  it('falls back to the page when one of everything is unticked', () => {
    const everything = reduceSelection(JOB_LIST, NO_SELECTION, { type: 'everything' });
    const rest = toggle(everything, 0, false);
    expect(rest.everything).toBe(false);
    expect(ids(rest)).toEqual(page.slice(1).map(rowKey));
  });
  it('keeps other pages when one page is unticked', () => {
    const other = reduceSelection(JOB_LIST, NO_SELECTION, { type: 'page', select: true, page: [job('z')] });
    const both = reduceSelection(JOB_LIST, other, { type: 'page', select: true, page });
    expect(ids(reduceSelection(JOB_LIST, both, { type: 'page', select: false, page }))).toEqual(['email/z']);
    expect(isSelectionEmpty(reduceSelection(JOB_LIST, both, { type: 'clear' }))).toBe(true);
  });
  it('never holds more than one request may carry', () => {
    const many = Array.from({ length: 700 }, (_, i) => job(`j${i}`));
    expect(
      reduceSelection(JOB_LIST, NO_SELECTION, { type: 'page', select: true, page: many }).rows.size,
    ).toBe(500);
  });
});
