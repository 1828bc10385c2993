import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { RETRY_DEFAULT } from '@/lib/contract/retry';
import { DuplicateError, PermanentError, RateLimitedError } from './errors';
import { jobInHand } from './fixtures';
import { createRegistry, defineHandler, type HandlerContext } from './handler';
import { runJob } from './run-job';
import { JobAborted, SILENT } from './types';

type Run = (payload: { n?: number }, ctx: HandlerContext) => unknown;
const demo = (run: Run, more: { timeoutMs?: number } = {}) =>
  defineHandler({
    type: 'demo.run',
    versions: [1, 2],
    schema: z.strictObject({ n: z.number().optional() }),
    run,
    ...more,
  });

const runs = (job = jobInHand(), run: Run = () => undefined, more: { timeoutMs?: number } = {}) =>
  runJob(job, {
    registry: createRegistry([demo(run, more)]),
    retry: RETRY_DEFAULT,
    defaultTimeoutMs: 10_000,
    random: () => 0,
    logger: SILENT,
  });

/** A handler that stops when it is told to. */
const obedient: Run = (_, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('runJob', () => {
  it('hands the checked payload and the envelope to the handler and keeps what it returns', async () => {
    const run = vi.fn((payload: { n?: number }, ctx: HandlerContext) => ({
      doubled: (payload.n ?? 0) * 2,
      attempt: ctx.attempt,
    }));
    const end = await runs(jobInHand({ payload: '{"n":21}', attempt: 3, envelope: { jobVersion: 2 } }), run);
    expect(end).toEqual({ kind: 'done', result: '{"doubled":42,"attempt":3}' });
    expect(run.mock.calls[0]?.[1].job.jobType).toBe('demo.run');
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
      'UNSUPPORTED_VERSION',
      /version 1, 2, not 9/,
    ],
    ['a payload that is no JSON', { payload: '{nope' }, 'malformed', 'PAYLOAD_INVALID', /not JSON/],
    ['a payload that is no text', { payload: '\ud800' }, 'malformed', 'PAYLOAD_INVALID', /not JSON/],
    ['a payload its schema refuses', { payload: '{"n":"x"}' }, 'malformed', 'PAYLOAD_INVALID', /n: .*number/],
    ['no payload where one is needed', { payload: '' }, 'malformed', 'PAYLOAD_INVALID', /payload/],
  ])('refuses %s without running anything', async (_, options, errorClass, errorCode, message) => {
    const run = vi.fn();
    const end = await runs(jobInHand(options), run);
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
    expect(await runs(jobInHand({ attempt: 3 }), boom)).toMatchObject({
      failure: { errorClass: 'permanent', errorCode: 'HTTP_400', retryInMs: 4_000 },
    });
    // Two of the three were lost with their worker: this is the first failure.
    expect(await runs(jobInHand({ attempt: 3, leaseLosses: 2 }), boom)).toMatchObject({
      failure: { retryInMs: 1_000 },
    });
    const slow = () => Promise.reject(new RateLimitedError(90_000));
    expect(await runs(jobInHand(), slow)).toMatchObject({
      failure: { errorClass: 'rate-limited', retryInMs: 90_000 },
    });
    expect(await runs(jobInHand(), () => Promise.reject(new DuplicateError('again')))).toMatchObject({
      kind: 'done',
    });
  });

  it('drops a result that is no JSON instead of running the job again', async () => {
    expect(await runs(jobInHand(), () => ({ big: 1n }))).toEqual({ kind: 'done', result: undefined });
  });

  it('aborts after the timeout: of the job, else of the handler', async () => {
    const reasons: unknown[] = [];
    const spy: Run = (payload, ctx) => {
      ctx.signal.addEventListener('abort', () => reasons.push(ctx.signal.reason));
      return obedient(payload, ctx);
    };
    const byJob = await runs(jobInHand({ envelope: { timeoutMs: 5 } }), spy, { timeoutMs: 60_000 });
    expect(byJob).toMatchObject({
      failure: {
        errorClass: 'retryable',
        errorCode: 'HANDLER_TIMEOUT',
        message: expect.stringMatching(/within 5 ms/),
      },
    });
    const byHandler = await runs(jobInHand(), spy, { timeoutMs: 7 });
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
    const end = await runs(jobInHand(), stubborn, { timeoutMs: 5 });
    finish('too late');
    expect(end).toMatchObject({
      failure: { errorCode: 'HANDLER_TIMEOUT', message: expect.stringMatching(/left behind/) },
    });
  });

  it('gives a job back on shutdown and says nothing about one whose lease was lost', async () => {
    const stopping = jobInHand();
    const first = runs(stopping, obedient);
    stopping.abort('shutdown');
    expect(await first).toEqual({ kind: 'release' });
    const lost = jobInHand();
    const second = runs(lost, obedient);
    lost.abort('lease-lost');
    expect(await second).toEqual({ kind: 'lost' });
  });

  it('lets a lost lease overrule a timeout', async () => {
    const job = jobInHand({ graceMs: 500 });
    const end = runs(job, () => new Promise(() => undefined), { timeoutMs: 5 });
    await vi.waitFor(() => expect(job.abortedBecause).toBe('timeout'));
    job.abort('lease-lost');
    expect(await end).toEqual({ kind: 'lost' });
  });
});

describe('createRegistry', () => {
  it('refuses two handlers for one version of a type', () => {
    expect(() => createRegistry([demo(() => 1), demo(() => 2)])).toThrow(/demo\.run version 1/);
  });
});
