/** Every finding opens its evidence, and offers what may be done about it. */
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FINDING_CODES, type QueueCode } from '@/lib/contract/alerts/finding-codes';
import type { Operation } from '@/lib/contract/operations/operation';
import { evidencePath } from '@/lib/contract/queues/evidence-path';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { IDLE_WORKER } from '@/testing/records/idle-worker';
import { CALM_QUEUE } from '@/testing/worlds/queue-snapshot';
import { QUEUE_RULES } from './queue-rules';
import { evaluate, type VerdictInput } from './verdict';

const NOW = 1_000_000;
const counts = (over: Partial<QueueSnapshot['counts']>) => ({ counts: { ...CALM_QUEUE.counts, ...over } });
const pause = { scope: 'queue' as const, since: 0, until: null, actor: 'Ada', reason: 'refunds' };
const TROUBLE: Readonly<Record<QueueCode, Partial<QueueSnapshot>>> = {
  LEDGER: { ledger: { ...CALM_QUEUE.ledger, difference: 1 } },
  SHARDS: { shards: { count: 3, unavailable: [1] } },
  FAILING: {
    rates: { ...CALM_QUEUE.rates, failedPerSecond: 1, failureRatio: 0.6 },
    lastFiveMinutes: { runs: 100, failed: 60, died: 3 },
  },
  NO_WORKERS: { ...counts({ ready: 3 }), workers: 0 },
  OVERDUE: { overdueLeaseMs: 60_000 },
  OLD: { ...counts({ ready: 3 }), oldestReadyAgeMs: 900_000 },
  DEEP: { depth: { jobs: 9, limit: null }, objectives: { ...CALM_QUEUE.objectives, depth: 5 } },
  FULL: { depth: { jobs: 100, limit: 100 } },
  NEARLY_FULL: { depth: { jobs: 95, limit: 100 } },
  EXPIRING: { ...counts({ dead: 3 }), deadExpireAt: NOW + 1_000 },
  DRAINING: { draining: true },
  PAUSED: { pauses: [pause] },
};
const memory = { check: 'memory', node: null, level: 'bad', value: 'much', fix: 'Do it.' } as const;
const failed = { id: 'op-1', kind: 'redrive', status: 'failed', outcome: null } as unknown as Operation;
const crashed: Worker = {
  ...IDLE_WORKER,
  status: 'crashed',
  end: { at: NOW, cause: 'SIGKILL', reclaimed: 0 },
};
const open: Worker = {
  ...IDLE_WORKER,
  breakers: [{ jobType: 'mail.send', state: 'open', failures: 5, retryAt: null }],
};
const UNKNOWN = {
  queue: 'mail',
  jobType: 'mail.sned',
  jobVersion: 1,
  missing: 'unknown-type',
  runs: 3,
  lastAt: NOW - 12_000,
} as const;
const OTHERS: Readonly<Record<string, Partial<VerdictInput>>> = {
  REDIS: { redisError: 'Redis cannot be reached.' },
  DATA_LOST: { dataLoss: { kind: 'emptied', lastSeenAt: 1, noticedAt: 2 } },
  MEMORY: { redisTrouble: [memory] },
  PERSISTENCE: { redisTrouble: [{ ...memory, check: 'aof' }] },
  OPERATION: { operations: [failed] },
  UNREADABLE: { unreadable: ['mail'] },
  WORKERS_GONE: { workers: [crashed] },
  BREAKER: { workers: [open] },
  MISSED: { overdue: [{ id: 'nightly', queue: 'mail', dueAt: 0 }] },
  UNKNOWN_JOB: { workers: [{ ...IDLE_WORKER, unknownJobs: [UNKNOWN] }] },
  NEW_FAILURE: {
    failures: [
      {
        group: '0a1b2c3d4e5f',
        type: 'mail.send',
        class: 'permanent',
        code: 'SMTP_550',
        count: 3,
        firstSeen: NOW - 60_000,
        lastHour: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3],
        isSampled: false,
        queues: [{ value: 'mail', count: 3 }],
      },
    ],
  },
};
const inputs: Readonly<Record<string, Partial<VerdictInput>>> = {
  ...OTHERS,
  ...Object.fromEntries(
    Object.entries(TROUBLE).map(([code, over]) => [code, { queues: [{ ...CALM_QUEUE, ...over }] }]),
  ),
};
const findingsOf = (over: Partial<VerdictInput>) =>
  evaluate({ now: NOW, redisError: null, queues: [], workers: [], ...over }).verdict.findings;

/** Findings without an action on the overview. */
const WHY_NONE: Readonly<Record<string, string>> = {
  REDIS: 'its page says what to repair outside the console',
  DATA_LOST: 'nothing brings the data back; its page says what this Redis is',
  MEMORY: 'its page names the limit and what uses the memory',
  PERSISTENCE: 'its page says what to repair outside the console',
  OPERATION: 'undo, resume and cancel are on its page',
  UNREADABLE: 'its page names the key, which is repaired outside the console',
  MISSED: 'a run is started on its page',
  LEDGER: 'maintenance repairs it; its page has the ledger',
};

it('is tried for every code of the overview', () => {
  expect(Object.keys(inputs).sort()).toEqual([...FINDING_CODES].sort());
});

it.each(Object.entries(inputs))('%s opens its evidence and offers its action', (code, input) => {
  const finding = findingsOf(input).find((one) => one.code === code);
  if (!finding?.evidence) throw new Error(`${code} has no evidence`);
  const [, page = ''] = evidencePath(finding.evidence).split(/[/?#]/);
  expect(existsSync(`app/(console)/${page}`), page).toBe(true);
  expect(finding.actions.length === 0).toBe(code in WHY_NONE);
  expect(WHY_NONE[code] ?? 'a reason').toBeTruthy();
});

it.each(Object.entries(TROUBLE))('%s of several queues opens what shows them all', (code, over) => {
  const of = (names: readonly string[]) => {
    const queues = names.map((queue) => ({ ...CALM_QUEUE, ...over, queue }));
    const finding = findingsOf({ queues }).find((one) => one.code === code);
    expect(finding?.queue).toBeNull();
    expect(finding?.evidence).toEqual(QUEUE_RULES[code as QueueCode].several(queues));
    return finding?.actions.filter((action) => action !== 'workers' && action !== 'redis');
  };
  const ofDead = code === 'FAILING' || code === 'EXPIRING';
  expect(of(['a', 'b'])).toEqual(ofDead ? ['redrive'] : []);
  // The dead letters of so many queues are no query any more.
  expect(of(Array.from({ length: 30 }, (_, i) => `q${i}`))).toEqual([]);
});

it('of several queues asks for their dead letters only', () => {
  const failing = ['a', 'b'].map((queue) => ({ ...CALM_QUEUE, ...TROUBLE.FAILING, queue }));
  const [finding] = findingsOf({ queues: failing });
  expect(finding?.evidence).toEqual({ page: 'dead', q: 'queue:(a OR b) age:<5m' });
});

it('leads to no page that the viewer may not open', () => {
  for (const code of ['REDIS', 'DATA_LOST'])
    expect(findingsOf({ ...inputs[code], seesRedis: false })).toMatchObject([{ code, evidence: null }]);
});

it('the list of queues begins with those that the finding is about', () => {
  expect(evidencePath({ page: 'queues', sort: 'oldest' })).toBe('/?sort=oldest#queues');
  expect(evidencePath({ page: 'queues', sort: 'trouble' })).toBe('/#queues');
});
