/** B12: jobs that no worker knows are a finding with type and version, from a real worker that fails them, until one knows them. */
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { UNKNOWN_JOBS_MAX } from '@/lib/contract/workers/worker-limits';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import type { NewFailure } from '@/lib/server/live/verdict/failure-findings';
import { withoutKnownJobs } from '@/lib/server/live/verdict/unknown-job-findings';
import { evaluate } from '@/lib/server/live/verdict/verdict';
import { createUnknownJobs } from '@/lib/worker/releases/unknown-jobs-registry';
import { defineHandler } from '@/lib/worker/run/handler';
import { until } from '@/testing/poll';
import { IDLE_WORKER } from '@/testing/records/idle-worker';
import { CALM_QUEUE } from '@/testing/worlds/queue-snapshot';
import { setUpWorkshop } from '@/testing/worlds/workers';

const shop = await setUpWorkshop();
afterEach(() => shop.next());

const read = async () => {
  const page = withoutKnownJobs(await shop.broker.workers.list());
  // Workers of earlier tests are in the list for a day.
  const workers = page.workers.filter(({ queues }) => Object.hasOwn(queues, shop.queue));
  const { verdict } = evaluate({ now: page.at, redisError: null, queues: [], workers });
  return verdict.findings.find(({ code }) => code === 'UNKNOWN_JOB');
};
const found = (sentence: RegExp) =>
  until(
    async () => {
      const finding = await read();
      return finding && sentence.test(finding.sentence) ? finding : null;
    },
    { what: `a finding ${sentence}` },
  );

it('names the type that no worker knows while its jobs are retried and when they are dead, and ends when a worker knows it', async () => {
  shop.work(() => 1);
  const jobId = await shop.enqueue({ jobType: 'email.sned', maxAttempts: 2 });
  await shop.becomes(jobId, 'dead');
  const finding = await found(
    /^No worker of \S+ knew the job type email\.sned \(version 1\): 2 runs failed, the last /,
  );
  expect(finding).toMatchObject({
    level: 'warn',
    queues: { total: 1, named: [shop.queue] },
    evidence: { page: 'dead', q: `queue:${shop.queue} type:email.sned class:unsupported-version` },
    actions: ['workers'],
  });
  shop.work(() => 1, {
    handlers: [defineHandler({ type: 'email.sned', schema: z.unknown(), run: () => 1 })],
  });
  await until(async () => (await read()) === undefined, { what: 'the finding to end' });
});

it('names the version where workers know the type', async () => {
  shop.work(() => 1);
  await shop.becomes(await shop.enqueue({ jobVersion: 7, maxAttempts: 1 }), 'dead');
  await found(/^No worker of \S+ knew version 7 of the job type demo\.run: 1 run failed, the last /);
});

const NOW = 10_000_000;
const job = (over: Partial<Worker['unknownJobs'][number]> = {}) => ({
  queue: 'mail',
  jobType: 'email.sned',
  jobVersion: 1,
  missing: 'unknown-type' as const,
  runs: 3,
  lastAt: NOW - 12_000,
  ...over,
});
const findings = (unknownJobs: Worker['unknownJobs'][], failures: readonly NewFailure[] = []) =>
  evaluate({
    now: NOW,
    redisError: null,
    queues: [{ ...CALM_QUEUE, queue: 'mail', counts: { ...CALM_QUEUE.counts, retry: 1 } }],
    failures,
    workers: unknownJobs.map((rows, i) => ({ ...IDLE_WORKER, workerId: `w-${i}`, unknownJobs: rows })),
  }).verdict.findings;

it('adds up workers, leaves out what is older than an hour, and is the only finding of the incident', () => {
  const failure: NewFailure = {
    group: '0a1b2c3d4e5f',
    type: 'email.sned',
    class: 'unsupported-version',
    code: 'UNKNOWN_TYPE',
    count: 3,
    firstSeen: NOW - 60_000,
    lastHour: null,
    isSampled: false,
    queues: [{ value: 'mail', count: 3 }],
  };
  expect(findings([[job()], [job({ runs: 4 })]], [failure])).toMatchObject([
    {
      code: 'UNKNOWN_JOB',
      sentence:
        'No worker of mail knew the job type email.sned (version 1): 7 runs failed, the last 12 s ago.',
      evidence: { page: 'queue', queue: 'mail', state: 'retry' },
    },
  ]);
  expect(findings([[job()], [job({ jobVersion: 2, queue: 'sms', runs: 9 })]])).toMatchObject([
    {
      queue: null,
      queues: { total: 2, named: ['mail', 'sms'] },
      sentence:
        'No worker knew 2 types or versions of jobs, among them the job type email.sned (version 2) in sms: 12 runs failed, the last 12 s ago.',
    },
  ]);
  expect(findings([[job({ lastAt: NOW - 3_600_001 })]], [failure])).toMatchObject([{ code: 'NEW_FAILURE' }]);
});

it('a worker reports a bounded number of kinds, those that it met last', () => {
  const registry = createUnknownJobs();
  const claimed = (jobType: string) => ({ queue: 'mail', jobType, jobVersion: 1 });
  for (let i = 0; i < 100; i++) registry.note(claimed(`t${i}`), 'unknown-type', NOW + i);
  registry.note(claimed('t99'), 'unknown-type', NOW + 200);
  const rows = registry.report(NOW + 300);
  expect(rows).toHaveLength(UNKNOWN_JOBS_MAX);
  expect(rows.at(-1)).toMatchObject({ jobType: 't99', runs: 2 });
  expect(registry.report(NOW + 200 + 3_600_001)).toEqual([]);
});
