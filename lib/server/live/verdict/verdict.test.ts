import { describe, expect, test } from 'vitest';
import { LAB_DEFAULTS } from '@/lib/contract/lab/lab-settings';
import type { Operation } from '@/lib/contract/operations/operation';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { IDLE_WORKER } from '@/testing/records/idle-worker';
import { CALM_QUEUE } from '@/testing/worlds/queue-snapshot';
import { evaluate, type VerdictInput } from './verdict';

const calm: QueueSnapshot = {
  ...CALM_QUEUE,
  rates: { ...CALM_QUEUE.rates, arrivalPerSecond: 1, completedPerSecond: 1, failureRatio: 0 },
  workers: 2,
};
const NOW = 1_000_000;
const input = (over: Partial<VerdictInput>): VerdictInput => ({
  now: NOW,
  redisError: null,
  queues: [],
  workers: [],
  ...over,
});
const findings = (over: Partial<VerdictInput>) => evaluate(input(over)).verdict.findings;
const ofQueue = (over: Partial<QueueSnapshot>) => findings({ queues: [{ ...calm, ...over }] });
const codes = (over: Partial<QueueSnapshot>) => ofQueue(over).map(({ level, code }) => `${level} ${code}`);
const ready = (n: number, over: Partial<QueueSnapshot> = {}): Partial<QueueSnapshot> => ({
  counts: { ...calm.counts, ready: n },
  ...over,
});
/** Of 100 runs in the last minute. */
const failing = (share: number, lost = 0): Partial<QueueSnapshot> => ({
  rates: {
    ...calm.rates,
    completedPerSecond: (100 * (1 - share)) / 60,
    failedPerSecond: (100 * share) / 60,
    lostPerSecond: (100 * lost) / 60,
    failureRatio: share,
  },
});

describe('one queue', () => {
  test('is ok when nothing is wrong', () => {
    expect(evaluate(input({ queues: [calm] }))).toEqual({
      verdict: { level: 'ok', total: { bad: 0, warn: 0 }, findings: [] },
      levels: new Map(),
    });
  });

  test.each<[string, Partial<QueueSnapshot>, string[]]>([
    ['a ledger off balance', { ledger: { ...calm.ledger, difference: 1 } }, ['bad LEDGER']],
    ['ready jobs without a worker', ready(3, { workers: 0 }), ['bad NO_WORKERS']],
    ['a job just within its objective', ready(3, { oldestReadyAgeMs: 119_999 }), []],
    ['a job over its objective', ready(3, { oldestReadyAgeMs: 120_000 }), ['warn OLD']],
    ['a job twice over its objective', ready(3, { oldestReadyAgeMs: 240_000 }), ['bad OLD']],
    [
      'a job over an objective of its queue',
      ready(3, { oldestReadyAgeMs: 6_000, objectives: { ...calm.objectives, ageMs: 5_000 } }),
      ['warn OLD'],
    ],
    ['a lease nobody reclaims', { overdueLeaseMs: 10_000 }, ['warn OVERDUE']],
    ['runs failing under the objective', failing(0.19), []],
    ['every fifth run failing', failing(0.2), ['warn FAILING']],
    ['two of five runs failing', failing(0.4), ['bad FAILING']],
    [
      'few failures, which are chance',
      { rates: { ...calm.rates, failedPerSecond: 9 / 60, failureRatio: 0.9 } },
      [],
    ],
    [
      'few runs a minute, most of which fail for five minutes',
      {
        rates: { ...calm.rates, failedPerSecond: 4 / 60, failureRatio: 0.8 },
        lastFiveMinutes: { runs: 25, failed: 20, died: 0 },
      },
      ['bad FAILING'],
    ],
    [
      'five bad minutes after which all is well',
      { lastFiveMinutes: { runs: 300, failed: 200, died: 50 } },
      [],
    ],
    ['deaths, which alone miss no objective', { lastFiveMinutes: { runs: 500, failed: 9, died: 9 } }, []],
    ['any depth without an objective', { depth: { jobs: 1_000_000, limit: null } }, []],
    [
      'a depth over its objective',
      { depth: { jobs: 150, limit: null }, objectives: { ...calm.objectives, depth: 100 } },
      ['warn DEEP'],
    ],
    [
      'a pause',
      { pauses: [{ scope: 'tenant:acme', since: 0, until: null, actor: 'Ada', reason: 'refunds' }] },
      ['warn PAUSED'],
    ],
    ['draining', { draining: true }, ['warn DRAINING']],
    ['a queue at 89 % of its limit', { depth: { jobs: 89, limit: 100 } }, []],
    ['a queue at 90 % of its limit', { depth: { jobs: 90, limit: 100 } }, ['warn NEARLY_FULL']],
    ['a full queue', { depth: { jobs: 100, limit: 100 } }, ['bad FULL']],
    ['a shard that cannot be read', { shards: { count: 3, unavailable: [1] } }, ['bad SHARDS']],
    [
      'dead jobs about to be deleted',
      { deadExpireAt: NOW + 3_600_000, counts: { ...calm.counts, dead: 12 } },
      ['warn EXPIRING'],
    ],
    [
      'dead jobs that are kept two days more',
      { deadExpireAt: NOW + 2 * 86_400_000, counts: { ...calm.counts, dead: 12 } },
      [],
    ],
    ['tenants at their limits', { throttledTenants: 7 }, []],
    [
      'a paused queue, which is not blamed for the age of its jobs',
      ready(3, {
        oldestReadyAgeMs: 999_000,
        workers: 0,
        pauses: [{ scope: 'queue', since: 0, until: null, actor: 'Ada', reason: 'deploy' }],
      }),
      ['warn PAUSED'],
    ],
  ])('sees %s', (_, over, expected) => {
    expect(codes(over)).toEqual(expected);
  });

  test('the demo at rest is calm: its runs fail at half of the objective at most', () => {
    expect(codes(failing((2 * LAB_DEFAULTS.failPercent) / 100))).toEqual([]);
  });

  test('D9: a queue that fails by one job type names it, and offers to pause it', () => {
    const type = { jobType: 'webhook.deliver', share: 0.964, windowMs: 420_000 };
    const failingTypes = new Map([['default', type]]);
    const queues = [{ ...calm, ...failing(0.6) }];
    expect(findings({ queues, failingTypes })).toMatchObject([
      {
        sentence:
          '60% of runs in default fail, mostly of webhook.deliver (96% of failed runs of the last 7 m; objective: under 20%).',
        pause: { queue: 'default', jobType: 'webhook.deliver' },
      },
    ]);
    const died = { lastFiveMinutes: { ...calm.lastFiveMinutes, died: 9 } };
    expect(findings({ queues: [{ ...calm, ...failing(0.6), ...died }], failingTypes })).toMatchObject([
      { redriveQuery: 'queue:default age:<5m type:webhook.deliver' },
    ]);
    const both = [...queues, { ...calm, ...failing(0.4), queue: 'low' }];
    expect(findings({ queues: both, failingTypes })).toMatchObject([
      { sentence: 'Runs fail in 2 queues: default 60% (mostly webhook.deliver), low 40%.' },
    ]);
    // Lost runs are counted for no type.
    const [lost] = findings({ queues: [{ ...calm, ...failing(0.6, 0.5) }], failingTypes });
    expect(lost?.sentence).not.toContain('webhook.deliver');
    expect(lost?.pause).toBeUndefined();
  });

  test('B7: failing runs lead to the deaths of the last minutes, and may be paused', () => {
    const died = { lastFiveMinutes: { runs: 500, failed: 300, died: 12 } };
    expect(ofQueue({ ...failing(0.6), ...died })).toMatchObject([
      {
        sentence:
          '60% of runs in default fail (objective: under 20%); 12 jobs died in the last five minutes.',
        evidence: { page: 'dead', q: 'queue:default age:<5m' },
        actions: ['pause', 'redrive'],
      },
    ]);
    expect(ofQueue(failing(0.6))).toMatchObject([{ evidence: { page: 'queue', state: 'retry' } }]);
  });

  test('B7: failures of five minutes say so, and those before a pause are over', () => {
    const rates = { ...calm.rates, failedPerSecond: 4 / 60, failureRatio: 0.8 };
    const five = { rates, lastFiveMinutes: { runs: 25, failed: 20, died: 3 } };
    expect(ofQueue(five)).toMatchObject([
      {
        sentence:
          '80% of runs in default failed in the last five minutes (objective: under 20%); 3 jobs died.',
      },
    ]);
    const paused = (scope: QueueSnapshot['pauses'][number]['scope']) =>
      codes({
        ...five,
        pauses: [{ scope, actor: 'ann', reason: 'The bank is down', since: 0, until: null }],
      });
    expect(paused('queue')).toEqual(['warn PAUSED']);
    expect(paused('tenant:acme')).toEqual(['bad FAILING', 'warn PAUSED']);
  });

  test('names what is missing, how much is left and until when', () => {
    const sentence = (over: Partial<QueueSnapshot>) => ofQueue(over)[0]?.sentence;
    expect(sentence({ shards: { count: 9, unavailable: [1, 2, 3, 5, 8] } })).toBe(
      '5 shards (1, 2, 3 and 2 more) of default cannot be read: its numbers cover the other 4 only.',
    );
    const dead = (n: number) => ({ counts: { ...calm.counts, dead: n } });
    expect(sentence({ deadExpireAt: NOW + 3 * 3_600_000, ...dead(12) })).toBe(
      'Retention deletes the oldest of 12 dead jobs in default in 3 h.',
    );
    expect(sentence({ deadExpireAt: NOW - 5, ...dead(1) })).toBe(
      'Retention is deleting dead jobs in default (1 left).',
    );
  });
});

const worker = (slot: string, over: Partial<Worker>, tail = '1-aaaa'): Worker => ({
  ...IDLE_WORKER,
  workerId: `demo-${slot}-${tail}`,
  startedAt: NOW - 50_000,
  lastSeenAt: NOW,
  queues: { critical: 1, low: 1, default: 1 },
  ...over,
});
/** The crash of a worker, started again by its supervisor, `ago` ms ago. */
const crash = (slot: string, ago: number, n = 0): Worker =>
  worker(
    slot,
    {
      status: 'crashed',
      startedAt: NOW - ago - 500,
      end: { at: NOW - ago, cause: 'SIGKILL', reclaimed: 1 },
    },
    `${n}-aaaa`,
  );

describe('one incident is one sentence, the cause before its symptoms', () => {
  const storm = Array.from({ length: 74 }, (_, i) => crash(String(1 + (i % 4)), 40_000 - i * 500, i));

  test('B6: crashes explain queues without workers, lost runs and waiting jobs', () => {
    const queues = [
      { ...calm, ...ready(400, { queue: 'critical', workers: 0, oldestReadyAgeMs: 500_000 }) },
      { ...calm, ...ready(30, { queue: 'low', workers: 0, overdueLeaseMs: 60_000 }), ...failing(0.6, 0.5) },
      // Its jobs wait for these workers, too, and have no symptom yet.
      { ...calm, ...ready(12, { queue: 'default', workers: 1 }) },
      { ...calm, ...ready(7, { queue: 'other', workers: 1 }) },
    ];
    const { verdict, levels } = evaluate(input({ queues, workers: storm }));
    expect(verdict.findings).toMatchObject([
      {
        id: 'WORKERS_GONE',
        level: 'bad',
        sentence:
          '74 worker crashes in 1 min (SIGKILL, 4 of 4 workers) → 2 queues have no worker, 442 jobs waiting.',
        cause: 'no-worker',
        evidence: { page: 'workers' },
        actions: ['workers'],
        queues: { total: 2, named: ['critical', 'low'] },
      },
    ]);
    expect([...levels]).toEqual([
      ['critical', 'bad'],
      ['low', 'bad'],
    ]);
  });

  test('jobs of a paused queue do not wait for its workers', () => {
    const pauses = [
      { scope: 'queue' as const, actor: 'ann', reason: 'The bank is down', since: 0, until: null },
    ];
    const queues = [
      { ...calm, ...ready(400, { queue: 'critical', workers: 0 }) },
      { ...calm, ...ready(900, { queue: 'default', workers: 0 }), pauses },
    ];
    expect(findings({ queues, workers: storm })[0]?.sentence).toBe(
      '74 worker crashes in 1 min (SIGKILL, 4 of 4 workers) → 1 queue has no worker, 400 jobs waiting.',
    );
  });

  test('what crashes do not explain stays: queues of other workers, runs that fail by themselves', () => {
    const queues = [
      { ...calm, ...failing(0.6, 0.1), queue: 'low' },
      { ...calm, ...ready(5, { queue: 'other', workers: 0 }) },
    ];
    expect(findings({ queues, workers: storm }).map(({ code }) => code)).toEqual([
      'WORKERS_GONE',
      'FAILING',
      'NO_WORKERS',
    ]);
  });

  test('one crash among many workers is a warning, a minute later none', () => {
    const others = ['2', '3', '4'].map((slot) => worker(slot, {}));
    const sentence = '1 worker crash in 1 min (SIGKILL, 1 of 4 workers).';
    expect(findings({ workers: [crash('1', 59_000), ...others] })).toMatchObject([
      { level: 'warn', sentence },
    ]);
    expect(findings({ workers: [crash('1', 60_000), ...others] })).toEqual([]);
  });

  test('workers of one host that ran side by side are counted one by one', () => {
    const gone = ['1-aa', '2-bb', '3-cc'].map((tail) =>
      worker('x', { status: 'lost', lastSeenAt: NOW - 10_000 }, tail),
    );
    expect(findings({ workers: [...gone, worker('x', {}, '4-dd')] })[0]?.sentence).toBe(
      '3 workers without a heartbeat in 1 min (3 of 4 workers).',
    );
  });

  test('failing runs and missing workers explain why jobs wait', () => {
    const old = { oldestReadyAgeMs: 999_000 };
    expect(codes({ ...ready(9, old), ...failing(0.6) })).toEqual(['bad FAILING']);
    expect(codes(ready(9, { ...old, workers: 0 }))).toEqual(['bad NO_WORKERS']);
  });

  test('the same trouble of 200 queues is one finding, with their number and the first names', () => {
    const queues = Array.from({ length: 200 }, (_, i) => ({
      ...calm,
      ...ready(2, { queue: `q${String(i).padStart(3, '0')}`, workers: 0 }),
    }));
    const { verdict, levels } = evaluate(input({ queues: queues.reverse() }));
    expect(verdict.total).toEqual({ bad: 1, warn: 0 });
    expect(verdict.findings[0]).toMatchObject({
      sentence: '200 queues have no worker, 400 jobs waiting: q000, q001, q002 and 197 more.',
      queue: null,
      queues: { total: 200 },
      actions: ['workers'],
    });
    expect(levels.size).toBe(200);
  });

  test('open circuit breakers are one finding, of live workers only', () => {
    const breaker = (jobType: string, state: 'open' | 'closed' | 'half-open') => ({
      jobType,
      state,
      failures: 5,
      retryAt: null,
    });
    const workers = [
      worker('1', { breakers: [breaker('email.send', 'open'), breaker('sms.send', 'closed')] }),
      worker('2', { status: 'draining', breakers: [breaker('email.send', 'half-open')] }),
      worker('3', { status: 'stopped', breakers: [breaker('push.send', 'open')] }),
    ];
    const found = findings({ workers });
    expect(found).toMatchObject([{ level: 'warn', code: 'BREAKER', queue: null }]);
    expect(found[0]?.sentence).toContain('email.send is open on 2 workers');
  });
});

describe('order and ids', () => {
  const operation = (id: string, diedAgain: number) =>
    ({
      id,
      kind: 'redrive',
      status: 'completed',
      paused: null,
      moved: 13,
      skipped: 0,
      outcome: {
        completed: 13 - diedAgain,
        running: 0,
        waiting: 0,
        diedAgain,
        recalled: 0,
        deleted: 0,
        groups: [],
      },
    }) as unknown as Operation;

  test('B3: an operation whose jobs all died again comes first after Redis', () => {
    const found = findings({
      queues: [{ ...calm, ledger: { ...calm.ledger, difference: 1 } }],
      operations: [operation('op-1', 13), operation('op-2', 0)],
    });
    expect(found.map(({ id }) => id)).toEqual(['OPERATION', 'LEDGER']);
    expect(found[0]).toMatchObject({
      level: 'bad',
      sentence: 'Re-drive: Completed · 13 of 13 died again.',
      evidence: { page: 'operation', operation: 'op-1' },
    });
  });

  test('rows keep their order and ids, whatever their numbers', () => {
    const queues = (a: number, b: number) => [
      { ...calm, ...ready(1, { queue: 'a', oldestReadyAgeMs: a }) },
      { ...calm, ...ready(1, { queue: 'b', oldestReadyAgeMs: b, draining: true }) },
    ];
    const shown = (a: number, b: number) =>
      findings({ queues: queues(a, b) }).map(({ id, queues: { named } }) => `${id} ${named}`);
    expect(shown(130_000, 900_000)).toEqual(['OLD a,b', 'DRAINING b']);
    expect(shown(900_000, 130_000)).toEqual(['OLD a,b', 'DRAINING b']);
  });

  test('Redis comes before all, and says nothing about queues it cannot read', () => {
    const found = findings({
      redisError: 'Redis cannot be reached.',
      unreadable: ['broken'],
      queues: [{ ...calm, ...ready(1, { workers: 0 }) }],
    });
    expect(found.map(({ code }) => code)).toEqual(['REDIS', 'UNREADABLE', 'NO_WORKERS']);
  });

  test('F3: says that the data were lost, when they were seen last, and whether others took their place', () => {
    const at = Date.UTC(2026, 10, 22, 8, 12, 3);
    const said = (kind: 'emptied' | 'other') =>
      findings({ dataLoss: { kind, lastSeenAt: at, noticedAt: at + 1_000 } })[0];
    expect(said('emptied')).toMatchObject({ level: 'bad', code: 'DATA_LOST', at });
    expect(said('emptied')?.sentence).toMatch(
      /^This Redis lost its data at 2026-11-22T08:12:03\.000Z: it was emptied/,
    );
    expect(said('other')?.sentence).toMatch(/^This Redis holds other data than at 2026-11-22T08:12:03\.000Z/);
  });

  test('Redis that runs out of memory or does not save, and schedules that do not run', () => {
    const at = (check: 'memory' | 'aof', level: 'warn' | 'bad', node: string | null = null) => ({
      check,
      node,
      level,
      value: 'much',
      fix: 'Do it.',
    });
    const overdue = ['nightly', 'hourly'].map((id) => ({ id, queue: 'mail', dueAt: NOW - 120_000 }));
    const redisTrouble = [at('memory', 'warn', 'a:1'), at('memory', 'bad', 'b:1'), at('aof', 'bad')];
    const said = findings({ redisTrouble, overdue }).map(({ level, sentence }) => `${level} ${sentence}`);
    expect(said).toEqual([
      'bad Redis b:1 uses much of memory. Do it.',
      'bad Redis cannot save its data (append-only file: much). Do it.',
      'bad Runs of 2 schedules were due up to 2 m ago and were not enqueued: nightly, hourly.',
    ]);
    expect(findings({ overdue: overdue.slice(0, 1) })).toMatchObject([
      {
        code: 'MISSED',
        queue: 'mail',
        queues: { total: 1, named: ['mail'] },
        evidence: { page: 'schedules' },
      },
    ]);
  });

  test('names as many queues as are asked for', () => {
    const queues = Array.from({ length: 30 }, (_, i) => ({
      ...calm,
      queue: `q${i}`,
      ...ready(1, { workers: 0 }),
    }));
    expect(findings({ queues })[0]?.queues.named).toHaveLength(10);
    expect(findings({ queues, namedMax: 25 })[0]?.queues.named).toHaveLength(25);
  });
});
