import { expect, it } from 'vitest';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import { reduceSearch, SEARCH_IDLE, type SearchChange, STREAMED_MAX_JOBS } from './search-stream-state';

const job = (jobId: string, queue = 'q') => ({ queue, jobId }) as JobSummary;
const scan = { found: 2, scanned: 40, of: 100 };
const end = (nextCursor: string | null) => ({
  at: 1,
  nextCursor,
  matching: { count: 2, exact: nextCursor === null },
  scan,
});
const run = (...changes: SearchChange[]) => changes.reduce(reduceSearch, SEARCH_IDLE);
const START: SearchChange = { type: 'start', keep: false };
const found = (...ids: string[]): SearchChange => ({
  type: 'events',
  events: [{ jobs: ids.map((id) => job(id)) }],
});

it('collects what is found, shows how far it is, and ends', () => {
  const state = run(START, found('a'), { type: 'events', events: [{ progress: scan }] });
  expect(state).toMatchObject({ status: 'running', progress: scan, end: null });
  const done = reduceSearch(state, { type: 'events', events: [{ jobs: [job('b')] }, { end: end(null) }] });
  expect(done).toMatchObject({ status: 'done', jobs: [{ jobId: 'a' }, { jobId: 'b' }], end: end(null) });
  expect(reduceSearch(done, { type: 'closed' })).toBe(done);
});

it('goes on behind what it found, without showing a job twice', () => {
  const first = run(START, found('a', 'b'), { type: 'events', events: [{ end: end('c1') }] });
  const on = reduceSearch(first, { type: 'start', keep: true });
  expect(on).toMatchObject({ status: 'running', end: null, jobs: [{ jobId: 'a' }, { jobId: 'b' }] });
  const more = reduceSearch(on, { type: 'events', events: [{ jobs: [job('b'), job('b', 'other')] }] });
  expect(more.jobs.map(({ queue, jobId }) => `${queue}/${jobId}`)).toEqual(['q/a', 'q/b', 'other/b']);
});

it('starts anew with nothing of the search before', () => {
  expect(run(START, found('a'), START)).toMatchObject({ status: 'running', jobs: [], progress: null });
});

it('says so when it breaks off, and keeps what was found', () => {
  const broken = run(START, found('a'), { type: 'closed' });
  expect(broken).toMatchObject({ status: 'failed', error: { code: 'UNREACHABLE' }, jobs: [{ jobId: 'a' }] });
  const error = { code: 'REDIS_UNAVAILABLE', detail: 'Redis cannot be reached.' };
  expect(run(START, found('a'), { type: 'events', events: [{ error }] })).toMatchObject({
    status: 'failed',
    error,
    jobs: [{ jobId: 'a' }],
  });
});

it('is stopped only while it runs', () => {
  expect(run(START, found('a'), { type: 'stop' }).status).toBe('stopped');
  expect(run(START, { type: 'events', events: [{ end: end(null) }] }, { type: 'stop' }).status).toBe('done');
});

it('goes on where it was stopped, or broke off, from the last place it heard of', () => {
  const events: SearchChange = {
    type: 'events',
    events: [{ jobs: [job('a')], cursor: 'c1' }, { progress: scan, cursor: 'c2' }, { progress: scan }],
  };
  const stopped = run(START, events, { type: 'stop' });
  expect(stopped).toMatchObject({ status: 'stopped', cursor: 'c2', jobs: [{ jobId: 'a' }] });
  expect(run(START, events, { type: 'closed' })).toMatchObject({ status: 'failed', cursor: 'c2' });
  // Stopped again before anything came, it still knows; one that starts anew does not.
  const again = [{ type: 'start', keep: true }, { type: 'stop' }] satisfies SearchChange[];
  expect(again.reduce(reduceSearch, stopped)).toMatchObject({ cursor: 'c2', progress: scan });
  expect(reduceSearch(stopped, START).cursor).toBeNull();
  const done = reduceSearch(stopped, { type: 'events', events: [{ end: end(null) }] });
  expect(done).toMatchObject({ status: 'done', cursor: null });
});

it('is bounded', () => {
  const many = Array.from({ length: STREAMED_MAX_JOBS + 10 }, (_, i) => `j${i}`);
  expect(run(START, found(...many)).jobs).toHaveLength(STREAMED_MAX_JOBS);
});
