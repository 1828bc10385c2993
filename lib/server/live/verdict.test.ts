import { describe, expect, test } from 'vitest';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { CALM_QUEUE } from '@/testing/worlds/queue-snapshot';
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
    ).toEqual({ level: 'ok', total: { bad: 0, warn: 0 }, findings: [] });
  });
  test('H3: lists fifty findings and counts all', () => {
    const queues = Array.from({ length: 60 }, (_, i) => ({
      snapshot: { ...calm, queue: `q${i}`, ledger: { ...calm.ledger, difference: 1 } },
      recentDeaths: 0,
    }));
    const { total, findings } = verdictOf({ now: 0, redisError: null, queues, workers: [] });
    expect(total).toEqual({ bad: 60, warn: 0 });
    expect(findings).toHaveLength(50);
  });
  test('F3: says that the data were lost, when they were seen last, and whether others took their place', () => {
    const at = Date.UTC(2026, 10, 22, 8, 12, 3);
    const said = (kind: 'emptied' | 'other') =>
      verdictOf({
        now: 0,
        redisError: null,
        dataLoss: { kind, lastSeenAt: at, noticedAt: at + 1_000 },
        queues: [],
        workers: [],
      });
    expect(said('emptied')).toMatchObject({
      level: 'bad',
      findings: [
        {
          code: 'DATA_LOST',
          queue: null,
          at,
          sentence: expect.stringMatching(
            /^This Redis lost its data at 2026-11-22T08:12:03\.000Z: it was emptied/,
          ),
        },
      ],
    });
    expect(said('other').findings[0]?.sentence).toMatch(
      /^This Redis holds other data than at 2026-11-22T08:12:03\.000Z/,
    );
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
    ['draining', { draining: true }, ['warn DRAINING']],
    ['a queue at 89 % of its limit is not worth a word', { depth: { jobs: 89, limit: 100 } }, []],
    ['a queue at 90 % of its limit', { depth: { jobs: 90, limit: 100 } }, ['warn NEARLY_FULL']],
    ['a full queue', { depth: { jobs: 100, limit: 100 } }, ['bad FULL']],
    ['any depth without a limit', { depth: { jobs: 1_000_000, limit: null } }, []],
    ['a shard that cannot be read', { shards: { count: 3, unavailable: [1] } }, ['bad SHARDS']],
    [
      'dead jobs about to be deleted',
      { deadExpireAt: 3_600_000, counts: { ...calm.counts, dead: 12 } },
      ['warn EXPIRING'],
    ],
    [
      'dead jobs that are kept two days more',
      { deadExpireAt: 2 * 86_400_000, counts: { ...calm.counts, dead: 12 } },
      [],
    ],
    ['tenants at their limits are no finding', { throttledTenants: 7 }, []],
  ])('sees %s', (_, over, expected) => {
    expect(codes(over)).toEqual(expected);
  });
  test('names what is missing, how much is left and until when', () => {
    const sentences = (over: Partial<QueueSnapshot>) =>
      verdictOf({
        now: 0,
        redisError: null,
        queues: [{ snapshot: { ...calm, ...over }, recentDeaths: 0 }],
        workers: [],
      }).findings.map((f) => f.sentence);
    expect(sentences({ shards: { count: 3, unavailable: [1] } })).toEqual([
      'Shard 1 of default cannot be read: its numbers cover the other 2 only.',
    ]);
    expect(sentences({ shards: { count: 9, unavailable: [1, 2, 3, 5, 8] } })).toEqual([
      '5 shards (1, 2, 3 and 2 more) of default cannot be read: its numbers cover the other 4 only.',
    ]);
    expect(sentences({ deadExpireAt: 3 * 3_600_000, counts: { ...calm.counts, dead: 12 } })).toEqual([
      'Retention deletes the oldest of 12 dead jobs in default in 3.0 h.',
    ]);
    expect(sentences({ deadExpireAt: -5, counts: { ...calm.counts, dead: 1 } })).toEqual([
      'Retention is deleting dead jobs in default (1 left).',
    ]);
  });
  test('open circuit breakers are one finding a job type, of live workers only', () => {
    const worker = (
      status: Worker['status'],
      ...breakers: Pick<Worker['breakers'][number], 'jobType' | 'state'>[]
    ) =>
      ({
        status,
        lastSeenAt: 0,
        end: null,
        breakers: breakers.map((b) => ({ ...b, failures: 5, retryAt: null })),
      }) as unknown as Worker;
    const { findings } = verdictOf({
      now: 0,
      redisError: null,
      queues: [],
      workers: [
        worker('running', { jobType: 'email.send', state: 'open' }, { jobType: 'sms.send', state: 'closed' }),
        worker('draining', { jobType: 'email.send', state: 'half-open' }),
        worker('stopped', { jobType: 'push.send', state: 'open' }),
      ],
    });
    expect(findings).toMatchObject([{ level: 'warn', queue: null, code: 'BREAKER' }]);
    expect(findings[0]?.sentence).toContain('email.send is open on 2 workers');
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
