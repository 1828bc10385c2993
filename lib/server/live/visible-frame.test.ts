/** What of a frame somebody sees: nothing of what is outside, in no sentence either. */
import { describe, expect, test } from 'vitest';
import { type AccessScope, FULL_SCOPE } from '@/lib/contract/access/grant-scopes';
import type { Frame } from '@/lib/contract/live/live-frame';
import type { Operation } from '@/lib/contract/operations/operation';
import { queuePageQuerySchema } from '@/lib/contract/queues/queue-schemas';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { FIRING_ALERT } from '@/testing/records/alert-about-orders';
import { IDLE_WORKER } from '@/testing/records/idle-worker';
import { CALM_QUEUE, overviewOf } from '@/testing/worlds/queue-snapshot';
import { queuePage, rowsOfPage } from './page-of-queues';
import type { FullFrame, Sample } from './sampler';
import { visibleFrame, visibleSample } from './visible-frame';

const NOW = 1_000_000;
const queue = (name: string, dead = 0) => ({
  ...CALM_QUEUE,
  queue: name,
  counts: { ...CALM_QUEUE.counts, dead, ready: 1 },
  workers: 0,
  ledger: { ...CALM_QUEUE.ledger, difference: dead },
});
const typeOf = (queues: string[]) => (queues.includes('hidden') ? 'secret.type' : 'own.type');
const worker = (workerId: string, queues: string[], jobs: string[] = []): Worker => ({
  ...IDLE_WORKER,
  workerId,
  lastSeenAt: NOW,
  queues: Object.fromEntries(queues.map((name) => [name, 1])),
  jobs: jobs.map((name) => ({
    queue: name,
    jobId: `${name}-job`,
    jobType: 'a',
    startedAt: 0,
    leaseUntil: NOW,
  })),
  completed: 7,
  failed: 3,
  breakers: [{ jobType: typeOf(queues), state: 'open', failures: 1, retryAt: null }],
  handlers: [{ type: typeOf(queues), versions: [1] }],
});
const operation = (id: string, scope: Operation['scope'], target: string | null = null) =>
  ({ id, scope, target }) as Operation;

const frame: FullFrame = {
  overview: {
    at: NOW,
    ageMs: 5,
    fresh: true,
    redis: { version: '7', roundTripMs: 1, usedMemoryBytes: 99, error: null },
    verdict: {
      level: 'bad',
      total: { bad: 1, warn: 0 },
      findings: [],
    },
    ...overviewOf([queue('mine'), queue('hidden', 3)]),
  },
  workers: {
    at: NOW,
    workers: [
      worker('w-mine', ['mine'], ['mine']),
      worker('w-both', ['mine', 'hidden'], ['mine', 'hidden']),
      worker('w-hidden', ['hidden'], ['hidden']),
    ],
  },
  operations: [
    operation('op-mine', { state: 'dead', q: '', queue: 'mine' }),
    operation('op-ticked', { state: 'dead', jobs: [{ queue: 'mine', jobId: 'a' }] }),
    operation('op-bound', { state: 'dead', q: '', within: [{ queue: 'mine', tenants: ['acme'] }] }),
    operation('op-all', { state: 'dead', q: 'type:a' }),
    operation('op-out', { state: 'dead', q: '', queue: 'mine' }, 'hidden'),
  ],
};
const about = (code: string, named: string[]) => ({
  ...FIRING_ALERT,
  ...{ id: code, code, queues: { total: named.length, named } },
});
const sample: Sample = {
  version: 1,
  frame,
  unreadable: ['hidden.too'],
  unreadNames: 0,
  unread: ['hidden.later'],
  dataLoss: null,
  redisTrouble: [],
  overdue: [],
  failures: [],
  failingTypes: new Map(),
  alerts: [
    about('FAILING', ['mine']),
    about('DEEP', ['mine', 'hidden']),
    about('NO_WORKERS', ['hidden']),
    about('REDIS', []),
    { ...about('OLD', ['mine']), level: 'warn' },
    { ...about('PAUSED', ['mine']), silencedBy: 's1' },
  ],
};
const MINE: AccessScope = [{ queue: 'mine', tenants: null }];
const ids = ({ operations }: Frame) => operations.map(({ id }) => id);

test('is made once for all who see the same of a sample', () => {
  expect(visibleSample(sample, [...MINE])).toBe(visibleSample(sample, [...MINE]));
});

test('who sees everything sees the very same frame', () => {
  const { overview, ...rest } = visibleFrame(sample, FULL_SCOPE, ['mine']);
  expect(rest).toEqual({ ...rest, workers: frame.workers, operations: frame.operations });
  expect(overview).toEqual(rowsOfPage(queuePage(frame.overview, queuePageQuerySchema.parse({}))));
  expect(rest.watched.map(({ queue: name }) => name)).toEqual(['mine']);
});

describe('who sees one queue', () => {
  const seen = visibleFrame(sample, MINE, ['mine', 'hidden']);
  test('finds the name of no other in a byte of it, nor the types and numbers of others', () => {
    expect(JSON.stringify(seen)).not.toMatch(/hidden|secret\.type/);
    expect(seen.overview.redis).toMatchObject({ usedMemoryBytes: null, roundTripMs: 1 });
  });
  test('is told how many alerts about that queue alone ask for a user', () => {
    expect(seen.overview.alerts).toEqual({ bad: 1, warn: 1 });
  });
  test('has a verdict of that queue', () => {
    expect(seen.overview.verdict.findings.map(({ code, queue: name }) => [code, name])).toEqual([
      ['BREAKER', null],
      ['NO_WORKERS', 'mine'],
    ]);
  });
  test('D9: is told with which job type that queue fails, and not with which another fails', () => {
    const rates = { windowMs: 60_000, failedPerSecond: 1, failureRatio: 0.6 };
    const queues = frame.overview.queues.map((row) => ({ ...row, rates: { ...row.rates, ...rates } }));
    const type = (jobType: string) => ({ jobType, share: 0.9, windowMs: 120_000 });
    const failing: Sample = {
      ...sample,
      frame: { ...frame, overview: { ...frame.overview, queues } },
      failingTypes: new Map([
        ['mine', type('webhook.deliver')],
        ['hidden', type('secret.type')],
      ]),
    };
    const { findings } = visibleFrame(failing, MINE).overview.verdict;
    expect(findings.find(({ code }) => code === 'FAILING')).toMatchObject({
      sentence: expect.stringContaining('mostly of webhook.deliver (90% of failed runs of the last 2 m; '),
      pause: { queue: 'mine', jobType: 'webhook.deliver' },
    });
    expect(JSON.stringify(findings)).not.toContain('secret.type');
  });
  test('sees its workers; of those it shares, that they are shared', () => {
    expect(
      seen.workers.workers.map(({ workerId, completed, partial }) => [workerId, completed, partial]),
    ).toEqual([
      ['w-mine', 7, undefined],
      ['w-both', 0, true],
    ]);
    expect(seen.workers.workers.flatMap(({ jobs }) => jobs.map(({ jobId }) => jobId))).toEqual([
      'mine-job',
      'mine-job',
    ]);
  });
  test('sees the operations that work there and nowhere else', () => {
    expect(ids(seen)).toEqual(['op-mine', 'op-ticked', 'op-bound']);
  });
});

test('who sees one tenant sees no count, and operations on that tenant alone', () => {
  const seen = visibleFrame(sample, [{ queue: 'mine', tenants: ['acme'] }]);
  expect(seen.overview.queues).toEqual([]);
  expect(seen.overview.alerts).toEqual({ bad: 0, warn: 0 });
  expect(seen.workers.workers.every(({ jobs, partial }) => jobs.length === 0 && partial)).toBe(true);
  expect(ids(seen)).toEqual(['op-bound']);
});

test('while Redis is away everybody is told so, and nobody what the error names', () => {
  const error = 'WRONGTYPE in hidden';
  const away: Sample = {
    ...sample,
    frame: {
      ...frame,
      overview: { ...frame.overview, fresh: false, redis: { ...frame.overview.redis, error } },
    },
  };
  const seen = visibleFrame(away, MINE);
  expect(JSON.stringify(seen)).not.toContain('hidden');
  expect(seen.overview.verdict.findings.map(({ code }) => code)).toEqual(['REDIS']);
});

test('F3: that the data were lost is for everybody', () => {
  const dataLoss = { kind: 'emptied', lastSeenAt: 1, noticedAt: 2 } as const;
  const { verdict } = visibleFrame({ ...sample, dataLoss }, MINE).overview;
  expect(verdict.findings.map(({ code }) => code)).toContain('DATA_LOST');
});
