// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import { type JobReference, useRelatedJobs } from './use-related-jobs';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const job = (jobId: string): JobSummary => ({
  queue: 'mail',
  jobId,
  state: 'dead',
  jobType: 'mail.send',
  jobVersion: 1,
  tenantId: 'acme',
  priority: 0,
  createdAt: 1,
  deadline: null,
  attempt: 1,
  maxAttempts: 1,
  deliveries: 1,
  stateAt: 1,
  worker: null,
  claimedAt: null,
  errorClass: null,
  errorCode: null,
  message: null,
});
const REFERENCES: readonly JobReference[] = [
  { label: 'Same id', value: 'j1', by: 'lookup' },
  { label: 'Same correlation id', value: 'c 1', by: 'search' },
  { label: 'Same idempotency key', value: 'k1', by: 'search' },
  { label: 'Same uniqueness key', value: 'u1', by: 'lookup' },
  { label: 'Same trace', value: 't1', by: 'search' },
];

it('finds the jobs of each reference only when asked, and says which search stopped before its end', async () => {
  const lines = (...events: object[]) => events.map((event) => JSON.stringify(event)).join('\n');
  const answers: Record<string, string> = {
    '/api/v1/find?q=j1': JSON.stringify({ at: 1, jobs: [{ ...job('j1'), by: 'id' }], more: false }),
    '/api/v1/find?q=u1': JSON.stringify({ at: 1, jobs: [], more: false, unasked: 3 }),
    '/api/v1/find/stream?q=t1': lines({
      end: {
        found: 0,
        scanned: 7,
        of: 7,
        stopped: null,
        states: [],
        unavailable: [{ queue: 'q', shard: 1 }],
      },
    }),
    '/api/v1/find/stream?q=c%201': lines(
      { jobs: [job('j2')] },
      { progress: { found: 1, scanned: 500, of: 9_000 } },
      { jobs: [job('j3')] },
      { end: { found: 2, scanned: 1_000, of: 9_000, stopped: 'budget', states: ['completed'] } },
    ),
    '/api/v1/find/stream?q=k1': lines({ error: { code: 'RATE_LIMITED', detail: 'Too many searches.' } }),
  };
  const asked: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    const isStream = path.includes('stream');
    const type = isStream ? 'application/x-ndjson' : 'application/json';
    return Promise.resolve(
      new Response(answers[path.replaceAll('+', '%20')], { headers: { 'content-type': type } }),
    );
  });
  const { result } = renderHook(() => useRelatedJobs(REFERENCES));
  expect(result.current.found).toBeNull();
  expect(asked).toEqual([]);
  act(() => result.current.find());
  // The schemas of replies are loaded with the first request.
  await vi.waitFor(() => expect(result.current.found?.some(({ pending }) => pending)).toBe(false), {
    timeout: 60_000,
  });
  const shown = result.current.found?.map(({ jobs, isPart, scanned, error }) => ({
    ids: jobs.map(({ jobId }) => jobId),
    isPart,
    scanned,
    error,
  }));
  expect(shown).toEqual([
    { ids: ['j1'], isPart: false, scanned: 0, error: null },
    { ids: ['j2', 'j3'], isPart: true, scanned: 1_000, error: null },
    { ids: [], isPart: false, scanned: 0, error: 'Too many searches.' },
    // Shards that were not searched may hold more.
    { ids: [], isPart: true, scanned: 0, error: null },
    { ids: [], isPart: true, scanned: 7, error: null },
  ]);
}, 90_000);
