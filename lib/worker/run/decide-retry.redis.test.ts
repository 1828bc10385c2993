/** The retry rules of a queue and of a job type, as a running worker and a caller without rules of its own apply them. */
import { afterEach, describe, expect, it } from 'vitest';
import type { HistoryEntry } from '@/lib/contract/jobs/job-schemas';
import { retryRuleSchema } from '@/lib/contract/queues/queue-config';
import { createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { openWorkshop, setUpWorkshop } from '@/testing/worlds/workers';
import { BY, failure } from '@/testing/worlds/world';
import { MalformedError, PermanentError, RateLimitedError, RetryableError } from './job-errors';

const shop = await setUpWorkshop();
afterEach(() => shop.next());

const fixed = (baseMs: number) => ({
  curve: 'fixed' as const,
  baseMs,
  factor: 1,
  maxMs: 3_600_000,
  jitter: 0,
});
const rule = (fields: object) => retryRuleSchema.parse(fields);
const configure = (patch: object) =>
  shop.broker.config.change(shop.queue, { ...patch, reason: 'a test' }, BY);
const down = () => {
  throw new RetryableError('HTTP_503', 'down');
};
const kinds = (history: readonly HistoryEntry[]) => history.map(({ kind }) => kind);
/** How long after its failure a job in `retry` is due. */
async function waitOf(jobId: string): Promise<number> {
  const { stateAt, history } = await shop.becomes(jobId, 'retry');
  return (stateAt ?? Number.NaN) - (history.at(-1)?.at ?? Number.NaN);
}

describe('a worker', () => {
  it('goes by its own option when the queue sets nothing', async () => {
    shop.work(down, { retry: fixed(40_000) });
    expect(await waitOf(await shop.enqueue())).toBe(40_000);
  });

  it('goes by the rule of the queue, and before that by the rule of the type', async () => {
    await configure({
      retry: rule({ policy: fixed(50_000) }),
      retryByType: { 'demo.other': rule({ policy: fixed(1) }) },
    });
    shop.work(down, { retry: fixed(1) });
    expect(await waitOf(await shop.enqueue())).toBe(50_000);
    await shop.next();
    await configure({
      retry: rule({ policy: fixed(50_000) }),
      retryByType: { 'demo.run': rule({ policy: fixed(60_000) }) },
    });
    shop.work(down, { retry: fixed(1) });
    expect(await waitOf(await shop.enqueue())).toBe(60_000);
  });

  it('hears of a changed rule while it runs', async () => {
    shop.work(down, { retry: fixed(40_000) });
    expect(await waitOf(await shop.enqueue())).toBe(40_000);
    await configure({ retry: rule({ policy: fixed(70_000) }) });
    await until(async () => (await waitOf(await shop.enqueue())) === 70_000, {
      what: 'the changed rule to be in force',
      timeoutMs: 10_000,
      everyMs: 200,
    });
  });

  it('never gives a job more attempts than the rule, however many its producer allowed', async () => {
    await configure({ retry: rule({ policy: fixed(1), maxAttempts: 3 }) });
    shop.work(down);
    const job = await shop.becomes(await shop.enqueue({ maxAttempts: 50 }), 'dead');
    expect(job.attempt).toBe(3);
    expect(kinds(job.history)).toEqual(['failed', 'failed', 'dead']);
    const allowedFewer = await shop.becomes(await shop.enqueue({ maxAttempts: 2 }), 'dead');
    expect(allowedFewer.attempt).toBe(2);
  });

  it('tries again what the rule lists, even if it is permanent, malformed or not known here', async () => {
    const classes = ['permanent', 'malformed', 'unsupported-version'];
    await configure({ retry: rule({ policy: fixed(60_000), classes }) });
    const errors = [
      new PermanentError('HTTP_400', 'no'),
      new MalformedError('odd'),
      new RetryableError('X', 'x'),
    ];
    shop.work(({ n = 0 }) => Promise.reject(errors[n]));
    const [permanent, malformed, retryable] = await Promise.all(
      errors.map((_, n) => shop.enqueue({ payload: JSON.stringify({ n }) })),
    );
    const unknown = await shop.enqueue({ jobType: 'demo.unknown' });
    for (const jobId of [permanent, malformed, unknown]) expect(await waitOf(jobId ?? '')).toBe(60_000);
    expect((await shop.becomes(retryable ?? '', 'dead')).attempt).toBe(1);
  });

  it('waits as long as the other side asked', async () => {
    shop.work(({ n }) => {
      if (n === 1) throw new RateLimitedError(30_000);
      throw new RetryableError('HTTP_503', 'down', { retryAfterMs: 20_000 });
    });
    expect(await waitOf(await shop.enqueue({ payload: '{"n":1}' }))).toBe(30_000);
    expect(await waitOf(await shop.enqueue())).toBe(20_000);
    const limited = await shop.becomes(await shop.enqueue({ payload: '{"n":1}' }), 'retry');
    expect(limited.history.at(-1)).toMatchObject({ errorClass: 'rate-limited', errorCode: 'RATE_LIMITED' });
  });

  it('lets a job die of its deadline instead of a retry that would come after it', async () => {
    shop.work(() => {
      throw new RateLimitedError(30_000);
    });
    const job = await shop.becomes(await shop.enqueue({ deadline: Date.now() + 20_000 }), 'dead');
    expect(job.history.at(-1)).toMatchObject({
      kind: 'dead',
      errorClass: 'deadline',
      errorCode: 'RATE_LIMITED',
    });
    expect(job.attempt).toBe(1);
  });

  it('aborts a run that takes too long, with the reason, and tries it again', async () => {
    const reasons: unknown[] = [];
    shop.work(
      (_, { signal, attempt }) =>
        attempt > 1
          ? 'in time'
          : new Promise((_resolve, reject) =>
              signal.addEventListener('abort', () => {
                reasons.push(signal.reason.reason);
                reject(signal.reason);
              }),
            ),
      { timeoutMs: 30 },
    );
    const job = await shop.becomes(await shop.enqueue(), 'completed');
    expect(reasons).toEqual(['timeout']);
    expect(job.history[0]).toMatchObject({ errorClass: 'retryable', errorCode: 'HANDLER_TIMEOUT' });
  });
});

describe('a caller without a rule of its own', () => {
  /** As a worker over HTTP: claims one job and fails it, saying nothing about another attempt. */
  async function failOne(why: object, more: object = {}): Promise<string> {
    const jobId = await shop.enqueue(more);
    const [job] = (await shop.broker.claim(shop.queue, { worker: 'http' })).jobs;
    if (!job) throw new Error('nothing to claim');
    await shop.broker.fail(shop.queue, [{ ...job, failure: { ...failure('X', 'retryable'), ...why } }]);
    return jobId;
  }

  it('gets that of the queue, and of the type of the job', async () => {
    await configure({
      retry: rule({ policy: fixed(50_000), maxAttempts: 1, classes: ['retryable'] }),
      retryByType: { 'demo.other': rule({ policy: fixed(60_000), maxAttempts: 9, classes: ['permanent'] }) },
    });
    expect((await shop.detail(await failOne({}))).state).toBe('dead');
    expect(await waitOf(await failOne({ errorClass: 'permanent' }, { jobType: 'demo.other' }))).toBe(60_000);
    expect((await shop.detail(await failOne({}, { jobType: 'demo.other' }))).state).toBe('dead');
    expect(
      await waitOf(await failOne({ errorClass: 'permanent', retryInMs: 7_000 }, { jobType: 'demo.other' })),
    ).toBe(7_000);
  });

  it('gets the default, counted by failures and not by deliveries', async () => {
    const jobId = await shop.enqueue();
    for (let loss = 0; loss < 3; loss++) {
      await shop.broker.claim(shop.queue, { worker: 'gone' });
      await shop.broker.reclaimWorker(shop.queue, 'gone', { errorCode: 'WORKER_GONE', message: 'gone' });
    }
    const [job] = (await shop.broker.claim(shop.queue, { worker: 'http' })).jobs;
    if (!job) throw new Error('nothing to claim');
    await shop.broker.fail(shop.queue, [{ ...job, failure: failure('X', 'retryable') }]);
    const waitMs = await waitOf(jobId);
    expect(waitMs).toBeGreaterThanOrEqual(1_000);
    expect(waitMs).toBeLessThanOrEqual(1_500);
  });

  it('gets for each job of one call what its own type and attempt say', async () => {
    await configure({
      retryByType: {
        'demo.quick': rule({ policy: fixed(2_000) }),
        'demo.slow': rule({ policy: fixed(90_000) }),
        'demo.once': rule({ maxAttempts: 1 }),
      },
    });
    const types = ['demo.quick', 'demo.slow', 'demo.once', 'demo.quick'];
    const ids: string[] = [];
    for (const jobType of types) ids.push(await shop.enqueue({ jobType }));
    // Claimed in one call, they differ in nothing but their ids.
    const { jobs } = await shop.broker.claim(shop.queue, { worker: 'http', count: 10 });
    expect(new Set(jobs.map(({ token }) => token)).size).toBe(1);
    const outcomes = await shop.broker.fail(
      shop.queue,
      jobs.map((job) => ({ ...job, failure: failure('X', 'retryable') })),
    );
    expect(outcomes).toEqual(['retry', 'retry', 'dead', 'retry']);
    for (const [i, waitMs] of [
      [0, 2_000],
      [1, 90_000],
      [3, 2_000],
    ] as const)
      expect(await waitOf(ids[i] ?? '')).toBe(waitMs);
  });

  it('may insist: again or never, whatever the class', async () => {
    expect(await waitOf(await failOne({ errorClass: 'permanent', again: true, retryInMs: 9_000 }))).toBe(
      9_000,
    );
    expect((await shop.detail(await failOne({ again: false }))).state).toBe('dead');
  });
});

describe('the rules', () => {
  it('last known stay in force while Redis is away', async () => {
    const own = await openWorkshop();
    try {
      const broker = createBroker({ redis: own.redis.connect({ commandTimeout: 500 }) });
      await own.broker.config.change(own.queue, { retry: rule({ maxAttempts: 2 }), reason: 'a test' }, BY);
      const known = await until(() => broker.retryRules(own.queue), { what: 'the rules to be read' });
      expect(known.retry).toMatchObject({ maxAttempts: 2 });
      await own.redis.kill();
      await until(
        () =>
          broker.now().then(
            () => false,
            () => true,
          ),
        { what: 'Redis to be away' },
      );
      for (let i = 0; i < 3; i++)
        expect((await broker.retryRules(own.queue)).retry).toMatchObject({ maxAttempts: 2 });
      await expect(broker.retryRules('never-asked')).rejects.toMatchObject({
        code: expect.stringMatching(/REDIS|UNKNOWN/),
      });
    } finally {
      await own.close();
    }
  });

  it('that somebody planted past the broker count as none', async () => {
    const plain = shop.redis.connect();
    for (const [field, value] of [
      ['retry', 'garbage'],
      ['retry', '{"maxAttempts":"many"}'],
      ['retryByType', '[1]'],
      ['retryByType', '{"demo.run":{"classes":["crash"]}}'],
    ] as const) {
      await shop.next();
      await plain.hset(`rd:{${shop.queue}}:config`, field, value);
      expect(await shop.broker.retryRules(shop.queue)).toEqual({ retry: null, retryByType: {} });
    }
  });
});
