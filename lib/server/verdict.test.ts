import { describe, expect, test } from 'vitest';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { CALM_QUEUE } from '@/testing/queue-snapshot';
import { verdictOf } from './verdict';

const calm: QueueSnapshot = {
  ...CALM_QUEUE,
  rates: {
    arrivalPerSecond: 1,
    completedPerSecond: 1,
    failedPerSecond: 0,
    failureRatio: 0,
    windowMs: 10_000,
  },
  workers: 2,
};
const codes = (over: Partial<QueueSnapshot>, recentDeaths = 0) =>
  verdictOf({
    now: 0,
    redisError: null,
    queues: [{ snapshot: { ...calm, ...over }, recentDeaths }],
    workers: [],
  }).findings.map((f) => `${f.level} ${f.code}`);

describe('the verdict', () => {
  test('is ok when nothing is wrong', () => {
    expect(
      verdictOf({ now: 0, redisError: null, queues: [{ snapshot: calm, recentDeaths: 0 }], workers: [] }),
    ).toEqual({ level: 'ok', findings: [] });
  });
  test.each<[string, Partial<QueueSnapshot>, string[]]>([
    [
      'an unbalanced ledger',
      { ledger: { enqueued: 2, inStates: 1, deleted: 0, difference: 1 } },
      ['bad LEDGER'],
    ],
    ['ready jobs without a worker', { workers: 0, counts: { ...calm.counts, ready: 3 } }, ['bad NO_WORKERS']],
    [
      'a job that waits too long',
      { oldestReadyAgeMs: 61_000, counts: { ...calm.counts, ready: 3 } },
      ['warn OLD'],
    ],
    [
      'a job that waits far too long',
      { oldestReadyAgeMs: 301_000, counts: { ...calm.counts, ready: 3 } },
      ['bad OLD'],
    ],
    ['a lease nobody reclaims', { overdueLeaseMs: 6_000 }, ['warn OVERDUE']],
    [
      'every second run failing',
      { rates: { ...calm.rates, completedPerSecond: 1, failedPerSecond: 1, failureRatio: 0.5 } },
      ['bad FAILING'],
    ],
    [
      'one failure among two runs is no trend',
      { rates: { ...calm.rates, completedPerSecond: 0.1, failedPerSecond: 0.1, failureRatio: 0.5 } },
      [],
    ],
    [
      'a pause',
      { pauses: [{ scope: 'tenant:acme', since: 0, until: null, actor: 'Ada', reason: 'refunds' }] },
      ['warn PAUSED'],
    ],
  ])('sees %s', (_, over, expected) => {
    expect(codes(over)).toEqual(expected);
  });
  test('sees deaths', () => expect(codes({}, 4)).toEqual(['warn DYING']));
  test('a paused queue is not blamed for the age of its jobs', () => {
    expect(
      codes({
        oldestReadyAgeMs: 999_000,
        workers: 0,
        counts: { ...calm.counts, ready: 3 },
        pauses: [{ scope: 'queue', since: 0, until: null, actor: 'Ada', reason: 'deploy' }],
      }),
    ).toEqual(['warn PAUSED']);
  });
  test('puts the worst first and Redis before all', () => {
    const verdict = verdictOf({
      now: 0,
      redisError: 'Redis cannot be reached.',
      queues: [
        {
          snapshot: { ...calm, overdueLeaseMs: 9_000, workers: 0, counts: { ...calm.counts, ready: 1 } },
          recentDeaths: 0,
        },
      ],
      workers: [],
    });
    expect(verdict.findings.map((f) => f.code)).toEqual(['REDIS', 'NO_WORKERS', 'OVERDUE']);
  });
});
