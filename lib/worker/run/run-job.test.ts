import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { OnceVerbs } from '@/lib/broker/application';
import { NO_RETRY_RULES, RETRY_DEFAULT, type RetryRules } from '@/lib/contract/jobs/retry-policy';
import { retryRuleSchema } from '@/lib/contract/queues/queue-config';
import { createHeartbeat } from '../background/heartbeat';
import { runningJob } from '../fixture-jobs';
import { JobAborted, SILENT, SYSTEM_CLOCK } from '../worker-types';
import { createBreakerRegistry } from './breaker-registry';
import type { BreakerOptions } from './circuit-breaker';
import { createRegistry, defineHandler, type HandlerContext } from './handler';
import {
  DuplicateError,
  OnceInProgressError,
  PermanentError,
  RateLimitedError,
  RetryableError,
} from './job-errors';
import type { RunEnd } from './run-end';
import { ABANDONED_HANDLER_MS, createRunJob, type RunDeps } from './run-job';
import type { RunningJob } from './running-job';

type Run = (payload: { n?: number }, ctx: HandlerContext) => unknown;
type More = { timeoutMs?: number; breaker?: BreakerOptions };
const demo = (run: Run, more: More = {}) =>
  defineHandler({
    type: 'demo.run',
    versions: [1, 2],
    schema: z.strictObject({ n: z.number().optional() }),
    run,
    ...more,
  });

/** Nothing here asks Redis for marks: `once` has tests of its own. */
const NO_ONCE: OnceVerbs = {
  begin: () => Promise.reject(new Error('not here')),
  finish: () => Promise.reject(new Error('not here')),
  cancel: () => Promise.reject(new Error('not here')),
};

/** What a worker with this one handler does with jobs, under these rules of the queue. */
function worker(run: Run, more: More = {}, retryRules = async (): Promise<RetryRules> => NO_RETRY_RULES) {
  const handlers = [demo(run, more)];
  let nowMs = 0;
  const ends = new Map<RunningJob, (end: RunEnd & { result?: string | undefined }) => void>();
  const inHand = new Set<RunningJob>();
  const heartbeat = createHeartbeat({
    broker: { extend: async (_, items) => items.map(() => 'extended' as const) },
    inHand,
    clock: SYSTEM_CLOCK,
    leaseMs: () => 10_000,
    onAnswered: () => undefined,
    onLost: () => undefined,
    onTrouble: () => undefined,
  });
  const deps: RunDeps = {
    broker: { retryRules, once: NO_ONCE },
    registry: createRegistry(handlers),
    otherReleases: { waitFor: async () => null },
    breakers: createBreakerRegistry(
      handlers,
      () => nowMs,
      () => undefined,
    ),
    onUnknown: () => undefined,
    retry: RETRY_DEFAULT,
    defaultTimeoutMs: 10_000,
    random: () => 0,
    loggerOf: () => SILENT,
    clock: SYSTEM_CLOCK,
    watch: heartbeat.watch,
    onEnd(job, end) {
      inHand.delete(job);
      ends.get(job)?.(end.kind === 'done' ? { ...end, result: job.result } : end);
      // One end a run.
      ends.set(job, () => expect.fail('a run ended twice'));
    },
  };
  const runJob = createRunJob(deps);
  const runToEnd = (job = runningJob()) =>
    new Promise<RunEnd & { result?: string | undefined }>((resolve) => {
      ends.set(job, resolve);
      inHand.add(job);
      runJob(job);
    });
  return { run: runToEnd, later: (ms: number) => (nowMs += ms), deps };
}
const runs = (job = runningJob(), run: Run = () => undefined, more: More = {}) => worker(run, more).run(job);

/** A handler that stops when it is told to. */
const obedient: Run = (_, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('runJob', () => {
  it('hands the checked payload and the envelope to the handler and keeps what it returns', async () => {
    const run = vi.fn((payload: { n?: number }, ctx: HandlerContext) => ({
      doubled: (payload.n ?? 0) * 2,
      attempt: ctx.attempt,
    }));
    const end = await runs(runningJob({ payload: '{"n":21}', attempt: 3, envelope: { jobVersion: 2 } }), run);
    expect(end).toEqual({ kind: 'done', result: '{"doubled":42,"attempt":3}' });
    expect(run.mock.calls[0]?.[1].job.jobType).toBe('demo.run');
  });

  it('ends with what the handler ends with: at once, or when its promise does', async () => {
    const ended = (run: Run) => {
      let end: RunEnd | undefined;
      void runs(runningJob(), run).then((how) => {
        end = how;
      });
      return () => end;
    };
    const atOnce = ended(() => 1);
    // As query builders are: no promise, but to be waited for.
    const query = Object.fromEntries([['then', (resolve: (value: unknown) => void) => resolve(2)]]);
    const later = ended(() => query);
    const called = ended(() => Object.assign(() => undefined, query));
    await Promise.resolve();
    expect(atOnce()).toEqual({ kind: 'done', result: '1' });
    for (const end of [later, called]) expect(end()).toBeUndefined();
    for (const end of [later, called])
      await vi.waitFor(() => expect(end()).toEqual({ kind: 'done', result: '2' }), { timeout: 20_000 });
  });

  it.each([
    [
      'an unknown type',
      { envelope: { jobType: 'other' } },
      'unsupported-version',
      'UNKNOWN_TYPE',
      /job type other/,
    ],
    [
      'an unknown version',
      { envelope: { jobVersion: 9 } },
      'unsupported-version',
      'UNKNOWN_VERSION',
      /version 9 of the job type .* knows 1, 2/,
    ],
    ['a payload that is no JSON', { payload: '{nope' }, 'malformed', 'PAYLOAD_INVALID', /not JSON/],
    ['a payload that is no text', { payload: '\ud800' }, 'malformed', 'PAYLOAD_INVALID', /not JSON/],
    ['a payload its schema refuses', { payload: '{"n":"x"}' }, 'malformed', 'PAYLOAD_INVALID', /n: .*number/],
    ['no payload where one is needed', { payload: '' }, 'malformed', 'PAYLOAD_INVALID', /payload/],
  ])('refuses %s without running anything', async (_, options, errorClass, errorCode, message) => {
    const run = vi.fn();
    const end = await runs(runningJob(options), run);
    expect(end).toMatchObject({
      kind: 'failed',
      failure: { errorClass, errorCode, message: expect.stringMatching(message) },
    });
    expect(run).not.toHaveBeenCalled();
  });

  it('reports what was thrown, with the backoff of this failure', async () => {
    const boom = () => {
      throw new PermanentError('HTTP_400', 'no');
    };
    expect(await runs(runningJob({ attempt: 3 }), boom)).toMatchObject({
      failure: { errorClass: 'permanent', errorCode: 'HTTP_400', again: false },
    });
    const down = () => Promise.reject(new RetryableError('HTTP_503', 'away'));
    expect(await runs(runningJob({ attempt: 3 }), down)).toMatchObject({
      failure: { errorClass: 'retryable', errorCode: 'HTTP_503', again: true, retryInMs: 4_000 },
    });
    // Two of the three were lost with their worker: this is the first failure.
    expect(await runs(runningJob({ attempt: 3, leaseLosses: 2 }), down)).toMatchObject({
      failure: { retryInMs: 1_000 },
    });
    const slow = () => Promise.reject(new RateLimitedError(90_000));
    expect(await runs(runningJob(), slow)).toMatchObject({
      failure: { errorClass: 'rate-limited', retryInMs: 90_000 },
    });
    expect(await runs(runningJob(), () => Promise.reject(new DuplicateError('again')))).toMatchObject({
      kind: 'done',
    });
  });

  it('drops a result that is no JSON instead of running the job again', async () => {
    expect(await runs(runningJob(), () => ({ big: 1n }))).toEqual({ kind: 'done', result: undefined });
  });

  it('aborts after the timeout: of the job, else of the handler', async () => {
    const reasons: unknown[] = [];
    const spy: Run = (payload, ctx) => {
      ctx.signal.addEventListener('abort', () => reasons.push(ctx.signal.reason));
      return obedient(payload, ctx);
    };
    const byJob = await runs(runningJob({ envelope: { timeoutMs: 5 } }), spy, { timeoutMs: 60_000 });
    expect(byJob).toMatchObject({
      failure: {
        errorClass: 'retryable',
        errorCode: 'HANDLER_TIMEOUT',
        message: expect.stringMatching(/within 5 ms/),
      },
    });
    const byHandler = await runs(runningJob(), spy, { timeoutMs: 7 });
    expect(byHandler).toMatchObject({
      failure: { errorCode: 'HANDLER_TIMEOUT', message: expect.stringMatching(/within 7 ms/) },
    });
    expect(reasons).toHaveLength(2);
    expect(reasons[0]).toBeInstanceOf(JobAborted);
    expect(reasons[0]).toMatchObject({ reason: 'timeout' });
  });

  it('leaves a handler behind that ignores its signal, once its grace is over, and ignores its result', async () => {
    let finish: (value: string) => void = () => undefined;
    const stubborn = () => new Promise((resolve) => (finish = resolve));
    const end = await runs(runningJob(), stubborn, { timeoutMs: 5 });
    finish('too late');
    expect(end).toMatchObject({
      failure: { errorCode: 'HANDLER_TIMEOUT', message: expect.stringMatching(/left behind/) },
    });
  });

  it('gives a job back on shutdown and says nothing about one whose lease was lost', async () => {
    const stopping = runningJob();
    const first = runs(stopping, obedient);
    stopping.abort('shutdown');
    expect(await first).toEqual({ kind: 'release' });
    const lost = runningJob();
    const second = runs(lost, obedient);
    lost.abort('lease-lost');
    expect(await second).toEqual({ kind: 'lost' });
  });

  it('keeps a job from being started elsewhere while its handler, told to stop, still runs here', async () => {
    const job = runningJob({ graceMs: 5 });
    const end = runs(job, () => new Promise(() => undefined));
    job.abort('shutdown');
    expect(await end).toEqual({ kind: 'release', delayMs: ABANDONED_HANDLER_MS });
  });

  it('lets a lost lease overrule a timeout', async () => {
    const job = runningJob({ graceMs: 500 });
    const end = runs(job, () => new Promise(() => undefined), { timeoutMs: 5 });
    await vi.waitFor(() => expect(job.abortedBecause).toBe('timeout'), { timeout: 20_000 });
    job.abort('lease-lost');
    expect(await end).toEqual({ kind: 'lost' });
  });
});

describe('the retry rules of the queue', () => {
  const policy = { curve: 'fixed' as const, baseMs: 70, factor: 1, maxMs: 1_000, jitter: 0 };
  const rules = (retry: object, byType: object = {}) =>
    Promise.resolve({
      retry: retryRuleSchema.parse(retry),
      retryByType: Object.fromEntries(
        Object.entries(byType).map(([type, rule]) => [type, retryRuleSchema.parse(rule)]),
      ),
    });
  const fails = () => Promise.reject(new PermanentError('HTTP_400', 'no'));
  const passes = () => Promise.reject(new RetryableError('HTTP_503', 'away', { retryAfterMs: 90 }));

  it('come before what the worker was started with, and the rule of the type before that of the queue', async () => {
    const byQueue = worker(passes, {}, () => rules({ policy }));
    expect(await byQueue.run()).toMatchObject({ failure: { again: true, retryInMs: 90 } });
    const byType = worker(passes, {}, () =>
      rules({ policy }, { 'demo.run': { policy: { ...policy, baseMs: 500 } } }),
    );
    expect(await byType.run()).toMatchObject({ failure: { again: true, retryInMs: 500 } });
  });

  it('may have a permanent failure tried again, and a retryable one never', async () => {
    const stubborn = worker(fails, {}, () => rules({ policy, classes: ['permanent'] }));
    expect(await stubborn.run()).toMatchObject({ failure: { again: true, retryInMs: 70 } });
    const never = worker(passes, {}, () => rules({ policy, classes: ['permanent'] }));
    const end = await never.run();
    expect(end).toMatchObject({ failure: { errorClass: 'retryable', again: false } });
    expect(end).not.toHaveProperty('failure.retryInMs');
  });

  it('cap the attempts', async () => {
    const capped = worker(passes, {}, () => rules({ maxAttempts: 2 }));
    expect(await capped.run(runningJob({ attempt: 1 }))).toMatchObject({ failure: { again: true } });
    expect(await capped.run(runningJob({ attempt: 2 }))).toMatchObject({ failure: { again: false } });
  });

  it('that cannot be read are left to the broker: the worker says only how long it would wait', async () => {
    const away = worker(fails, {}, () => Promise.reject(new Error('Redis is away')));
    const end = await away.run(runningJob({ attempt: 2 }));
    expect(end).toMatchObject({ failure: { errorClass: 'permanent', retryInMs: 2_000 } });
    expect(end).not.toHaveProperty('failure.again');
  });
});

describe('a circuit breaker', () => {
  const breaker = { failureThreshold: 2, failureRatio: 0.5, windowMs: 10_000, cooldownMs: 1_000 };

  it('gives jobs back unrun while it is open, lets one trial through, and closes when that succeeds', async () => {
    let up = false;
    const run = vi.fn(async () => {
      if (!up) throw new RetryableError('HTTP_503', 'away');
    });
    const { run: work, later, deps } = worker(run, { breaker });
    for (const kind of ['failed', 'failed', 'release', 'release']) expect((await work()).kind).toBe(kind);
    expect(run).toHaveBeenCalledTimes(2);
    expect(await work()).toEqual({ kind: 'release', delayMs: 1_000 });
    expect(deps.breakers.report(50_000)).toEqual([
      { jobType: 'demo.run', state: 'open', failures: 2, retryAt: 51_000 },
    ]);
    later(1_000);
    expect((await work()).kind).toBe('failed');
    // The second cooldown is twice as long.
    later(1_999);
    expect(await work()).toEqual({ kind: 'release', delayMs: 1 });
    later(1);
    up = true;
    expect((await work()).kind).toBe('done');
    expect(deps.breakers.report(0)).toMatchObject([{ state: 'closed', failures: 0, retryAt: null }]);
    later(60_001);
    expect(deps.breakers.report(0)).toEqual([]);
  });

  it('lets only one trial through, and waits as long as the other side asked', async () => {
    let finish: (value: unknown) => void = () => undefined;
    let fails = true;
    const { run: work, later } = worker(
      () =>
        fails
          ? Promise.reject(new RateLimitedError(5_000))
          : new Promise((resolve) => {
              finish = resolve;
            }),
      { breaker },
    );
    for (let i = 0; i < 2; i++) await work();
    later(4_999);
    expect(await work()).toEqual({ kind: 'release', delayMs: 1 });
    later(1);
    fails = false;
    const trial = work();
    expect((await work()).kind).toBe('release');
    finish('back');
    expect((await trial).kind).toBe('done');
    const next = work();
    await vi.waitFor(() => finish('again'), { timeout: 20_000 });
    expect((await next).kind).toBe('done');
  });

  it('counts timeouts, and not what says nothing about the other side', async () => {
    const hangs = worker(obedient, { breaker, timeoutMs: 1 });
    for (const kind of ['failed', 'failed', 'release']) expect((await hangs.run()).kind).toBe(kind);

    for (const harmless of [new PermanentError('HTTP_400', 'no'), new OnceInProgressError('k', 5)]) {
      const { run: work, deps } = worker(() => Promise.reject(harmless), { breaker });
      for (let i = 0; i < 10; i++) await work();
      expect(deps.breakers.find('demo.run')?.view().state).toBe('closed');
    }
    const malformed = worker(() => undefined, { breaker });
    for (let i = 0; i < 10; i++) await malformed.run(runningJob({ payload: 'nope' }));
    expect(malformed.deps.breakers.find('demo.run')?.view().state).toBe('closed');
  });

  it('is one for all versions of a type: they must agree', () => {
    const one = { ...demo(() => 1, { breaker }), versions: [3] };
    const create = (other: BreakerOptions | false) =>
      createBreakerRegistry(
        [one, { ...one, breaker: other }],
        () => 0,
        () => undefined,
      );
    expect(() => create({ ...breaker })).not.toThrow();
    expect(() => create(false)).toThrow(/demo\.run share one circuit breaker/);
    expect(() => createBreakerRegistry([{ ...one, breaker: { windowMs: 1 } }], () => 0, vi.fn())).toThrow(
      /windowMs/,
    );
  });
});

describe('work that another run is doing', () => {
  it('gives the job back until that run is over, without burning an attempt', async () => {
    const end = await runs(runningJob(), () => Promise.reject(new OnceInProgressError('charge 7', 1_234)));
    expect(end).toEqual({ kind: 'release', delayMs: 1_234 });
  });
});

describe('createRegistry', () => {
  it('refuses two handlers for one version of a type', () => {
    expect(() => createRegistry([demo(() => 1), demo(() => 2)])).toThrow(/demo\.run version 1/);
  });
});
