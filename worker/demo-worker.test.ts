import { describe, expect, it, vi } from 'vitest';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import { enqueueSchema } from '@/lib/contract/jobs/envelope';
import { nameSchema } from '@/lib/contract/name-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';
import { classify, SILENT } from '@/lib/worker';
import { LAB_DEFAULTS, LAB_KINDS } from '../lib/contract/lab/lab-settings';
import { brokenRelease, faultFor } from './demo-failures';
import { runTimeMs } from './demo-handlers';
import { makeJob } from './demo-jobs';
import { brokenPayloadFor, payloadFor, SCHEMAS } from './demo-kinds';
import { pickTenant } from './demo-tenants';
import { createTraffic } from './demo-traffic';
import { readWorkerEnvironment } from './worker-environment';

/** Chance that can be repeated: a small linear congruential generator. */
function dice(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe('the environment', () => {
  it('says in a sentence what is missing or wrong, all at once, and never shows the value', () => {
    expect(readWorkerEnvironment({ NODE_ENV: 'test' })).toEqual({
      problems: [expect.stringMatching(/^REDIS_URL is missing: set/)],
    });
    const env = readWorkerEnvironment({
      NODE_ENV: 'test',
      REDIS_URL: 'mysql://u:secret@x',
      LOG_LEVEL: 'loud',
      REDRIVE_PREFIX: 'a:b',
      REDRIVE_ALLOW_EVICTION: 'maybe',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://u:secret@x',
      OTEL_TRACES_SAMPLER_ARG: '2',
    });
    if (!('problems' in env)) throw new Error('accepted');
    expect(env.problems).toEqual([
      expect.stringMatching(/^REDIS_URL must be the path of a unix socket or start with .*\.$/),
      expect.stringMatching(/^REDRIVE_PREFIX must start with .*\.$/),
      'REDRIVE_ALLOW_EVICTION must be yes or no.',
      'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent.',
      expect.stringMatching(/^OTEL_EXPORTER_OTLP_ENDPOINT must be an http address, .*\.$/),
      'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.',
    ]);
    expect(env.problems.join(' ')).not.toContain('secret');
  });
  it('names a wrong setting of traces before the first process of the worker ends of it', () => {
    const env = { NODE_ENV: 'test', REDIS_URL: '/redis.sock', OTEL_TRACES_EXPORTER: 'zipkin' } as const;
    expect(readWorkerEnvironment(env)).toMatchObject({ logLevel: 'info' });
    expect(readWorkerEnvironment({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' })).toEqual({
      problems: ['OTEL_TRACES_EXPORTER must be otlp or none.'],
    });
  });
  it('fills in defaults', () => {
    const env = readWorkerEnvironment({
      NODE_ENV: 'test',
      REDIS_URL: 'redis://127.0.0.1:6379',
      REDRIVE_PREFIX: '',
    });
    expect(env).toEqual({
      redis: { url: 'redis://127.0.0.1:6379' },
      prefix: 'rd',
      allowEviction: false,
      logLevel: 'info',
    });
  });
});

describe('made-up jobs', () => {
  it('are valid, and as varied as the settings ask', () => {
    const random = dice();
    const settings = { ...LAB_DEFAULTS, failPercent: 20, tenants: 50 };
    const jobs = Array.from({ length: 5_000 }, () => makeJob(settings, random).job);
    for (const job of jobs) expect(enqueueSchema.safeParse(job).error).toBeUndefined();
    const share = (test: (job: EnqueueInput) => boolean) => (100 * jobs.filter(test).length) / jobs.length;
    expect(share((job) => job.delayMs !== undefined)).toBeCloseTo(settings.delayedPercent, -1);
    expect(share((job) => job.priority !== 0)).toBeCloseTo(settings.prioritisedPercent, -1);
    expect(share((job) => job.jobVersion === 99)).toBeCloseTo(1, 0);
    expect(new Set(jobs.map(({ jobType }) => jobType))).toEqual(new Set(LAB_KINDS));
    expect(new Set(jobs.map(({ jobId }) => jobId)).size).toBe(jobs.length);
    expect(jobs.every(({ delayMs = 2_000 }) => delayMs >= 2_000 && delayMs <= 20_000)).toBe(true);
  });

  it('never break when the lab asks for no failures', () => {
    const random = dice();
    for (let i = 0; i < 1_000; i++) {
      const { job } = makeJob({ ...LAB_DEFAULTS, failPercent: 0 }, random);
      const kind = LAB_KINDS.find((one) => one === job.jobType);
      if (!kind) throw new Error('no such kind');
      expect(SCHEMAS[kind].safeParse(JSON.parse(String(job.payload))).error).toBeUndefined();
    }
  });

  it.each(LAB_KINDS)('%s: a good payload fits its schema, a broken one does not', (kind) => {
    const random = dice();
    for (let i = 0; i < 200; i++) {
      expect(SCHEMAS[kind].safeParse(payloadFor(kind, 'acme', random)).success).toBe(true);
      const broken = brokenPayloadFor(kind, 'acme', random);
      expect(() => SCHEMAS[kind].parse(JSON.parse(broken))).toThrow();
    }
  });

  it('belong to fifty tenants with valid names, the first ones busier', () => {
    const random = dice();
    const seen = new Map<string, number>();
    for (let i = 0; i < 20_000; i++) {
      const tenant = pickTenant(50, random);
      seen.set(tenant, (seen.get(tenant) ?? 0) + 1);
    }
    expect(seen.size).toBe(50);
    for (const tenant of seen.keys()) expect(nameSchema.safeParse(tenant).success).toBe(true);
    expect(seen.get('acme')).toBeGreaterThan(3 * (seen.get('umbrella') ?? 0));
  });
});

describe('made-up faults', () => {
  it('of a broken release are all alike, and no retry helps', () => {
    const [one, two] = [classify(brokenRelease('email.send')), classify(brokenRelease('email.send'))];
    if (one === 'success' || two === 'success') throw new Error('a fault that is none');
    expect(one.failure).toMatchObject({ errorCode: 'HANDLER_BUG', errorClass: 'permanent' });
    expect(two.failure.message).toBe(one.failure.message);
  });
  it('are of many types, each classified by its type', () => {
    const random = dice();
    const codes = new Map<string, string>();
    for (let i = 0; i < 4_000; i++) {
      const fault = classify(faultFor(LAB_KINDS[i % 4] ?? 'email.send', random));
      if (fault === 'success') throw new Error('a fault that is none');
      codes.set(fault.failure.errorCode, fault.failure.errorClass);
      expect(fault.failure.stack).toMatch(/failures\.ts/);
    }
    expect(Object.fromEntries(codes)).toMatchObject({
      HTTP_503: 'retryable',
      HTTP_429: 'rate-limited',
      ETIMEDOUT: 'retryable',
      HTTP_400: 'permanent',
      PERMISSION_DENIED: 'permanent',
      TypeError: 'retryable',
    });
    expect(codes.size).toBeGreaterThanOrEqual(9);
  });

  it('take the run time the lab asks for', () => {
    const settings = { ...LAB_DEFAULTS, runTimeMs: 400, runTimeSpreadPercent: 50 };
    expect([0, 0.5, 1].map((r) => runTimeMs(settings, () => r))).toEqual([200, 400, 600]);
  });
});

describe('traffic', () => {
  function setUp({ ready = 0, bursts = [] as number[] } = {}) {
    let nowMs = 0;
    const sent: string[] = [];
    let fault: Error | null = null;
    const broker = {
      enqueueMany: vi.fn(async (_: string, jobs: readonly EnqueueInput[]) => {
        sent.push(...jobs.map(({ jobId = '' }) => jobId));
        if (fault) throw fault;
        return [];
      }),
      inspect: { snapshot: vi.fn(async () => [{ queue: 'default', counts: { ready } }]) },
    };
    const lab = {
      takeBurst: async () => {
        const jobs = bursts.shift();
        return jobs ? { jobs } : null;
      },
    };
    // The fake answers only what traffic reads.
    const traffic = createTraffic({
      broker: broker as never,
      lab,
      random: dice(),
      nowMs: () => nowMs,
      logger: SILENT,
    });
    return {
      traffic,
      sent,
      fail: (error: Error | null) => {
        fault = error;
      },
      async steps(count: number, trafficPerSecond: number) {
        for (let i = 0; i < count; i++) {
          nowMs += 100;
          await traffic.step({ ...LAB_DEFAULTS, trafficPerSecond }).catch(() => undefined);
        }
      },
    };
  }

  it.each([0, 0.5, 8, 33, 500])('keeps to %d jobs a second', async (rate) => {
    const { steps, sent } = setUp();
    await steps(100, rate);
    expect(Math.abs(sent.length - rate * 10)).toBeLessThanOrEqual(1);
  });

  it('sends a batch whose reply was lost again with the same ids, and adds nothing before', async () => {
    const { steps, sent, fail, traffic } = setUp();
    fail(new RedriveError('UNKNOWN_OUTCOME', 'lost'));
    await steps(10, 20);
    fail(null);
    await steps(10, 20);
    const firstIds = new Set(sent.slice(0, 1));
    expect(firstIds.size).toBe(1);
    // Sent several times, counted once.
    expect(traffic.enqueued()).toBe(new Set(sent).size);
  });

  it('enqueues a burst in parts, and rests while a backlog is long', async () => {
    const { steps, sent } = setUp({ bursts: [2_500] });
    await steps(1, 0);
    expect(sent).toHaveLength(1_000);
    await steps(2, 0);
    expect(sent).toHaveLength(2_500);
    const full = setUp({ ready: 20_001, bursts: [100] });
    await full.steps(50, 100);
    expect(full.sent).toHaveLength(0);
  });
});
