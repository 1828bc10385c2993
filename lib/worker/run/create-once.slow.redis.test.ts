/** `once` in handlers: jobs may run twice, the work in it is done once, and every way it can go wrong ends as documented. */
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { RedriveError } from '@/lib/contract/redrive-error';
import { until } from '@/testing/poll';
import { Processes } from '@/testing/worlds/processes';
import { setUpWorkshop } from '@/testing/worlds/workers';
import { createOnce } from './create-once';
import { OnceInProgressError, RetryableError } from './job-errors';

const PROCESS = fileURLToPath(new URL('../fixture-worker.ts', import.meta.url));
const processes = new Processes();
const shop = await setUpWorkshop();
let keys = 0;
afterEach(() => shop.next());
afterAll(async () => {
  await processes.stopAll();
});
const freshKey = () => `the work ${++keys}`;

/** Something that can be let go by hand. */
function gate<T>() {
  let open: (value: T) => void = () => undefined;
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('in a handler', () => {
  it('does the work once for two jobs at once: one waits without burning an attempt, and gets the same result', async () => {
    const key = freshKey();
    const { opened, open } = gate<string>();
    let runs = 0;
    const { saw } = shop.work(async (_, { once }) => {
      const { value, reused } = await once(
        key,
        () => {
          runs += 1;
          return opened;
        },
        { leaseMs: 1_500 },
      );
      return { value, reused };
    });
    const ids = [await shop.enqueue(), await shop.enqueue()];
    await saw('released');
    open('the receipt');
    const jobs = await Promise.all(ids.map((id) => shop.becomes(id, 'completed')));
    expect(runs).toBe(1);
    expect(jobs.map((job) => job.result?.result).sort()).toEqual([
      '{"value":"the receipt","reused":false}',
      '{"value":"the receipt","reused":true}',
    ]);
    for (const job of jobs) expect(job.attempt).toBe(1);
  });

  it('does not do it again when a job comes back after its work was done', async () => {
    const key = freshKey();
    let effects = 0;
    shop.work(async (_, { once, attempt }) => {
      const done = await once(key, () => ({ receipt: ++effects }));
      if (attempt === 1) throw new RetryableError('AFTERWARDS', 'the rest of the handler failed');
      return done;
    });
    const job = await shop.becomes(await shop.enqueue(), 'completed');
    expect(effects).toBe(1);
    expect(job.attempt).toBe(2);
    expect(job.result?.result).toBe('{"value":{"receipt":1},"reused":true}');
  });

  it('does it again when it failed, at once', async () => {
    const key = freshKey();
    let tries = 0;
    shop.work(async (_, { once }) =>
      once(key, () => {
        tries += 1;
        if (tries < 3) throw new RetryableError('HTTP_503', 'down');
        return tries;
      }),
    );
    const job = await shop.becomes(await shop.enqueue(), 'completed');
    expect([tries, job.attempt, job.result?.result]).toEqual([3, 3, '{"value":3,"reused":false}']);
  });

  it('is told to stop by the signal of the job, and may be repeated', async () => {
    const key = freshKey();
    const reasons: unknown[] = [];
    shop.work(
      async (_, { once, attempt }) =>
        once(key, ({ signal }) =>
          attempt > 1
            ? 'second'
            : new Promise((_resolve, reject) =>
                signal.addEventListener('abort', () => {
                  reasons.push(signal.reason.reason);
                  reject(signal.reason);
                }),
              ),
        ),
      { timeoutMs: 50 },
    );
    await shop.becomes(await shop.enqueue(), 'completed');
    expect(reasons).toEqual(['timeout']);
  });

  it('keeps equal keys of different job types apart, and those of an application', async () => {
    const key = freshKey();
    shop.work((_, { once }) => once(key, () => 'mine'));
    const application = createOnce(shop.broker);
    expect(await application(key, () => 'the application’s')).toMatchObject({ reused: false });
    const job = await shop.becomes(await shop.enqueue(), 'completed');
    expect(job.result?.result).toBe('{"value":"mine","reused":false}');
    const sameScope = createOnce(shop.broker, { scope: 'demo.run' });
    expect(await sameScope(key, () => 'never')).toEqual({ value: 'mine', reused: true });
  });

  it('gives results that cannot be kept to the first run, and refuses to guess for later ones', async () => {
    for (const [what, value] of [
      ['too long', 'x'.repeat(20_000)],
      ['no JSON', { big: 1n }],
    ] as const) {
      const key = freshKey();
      let runs = 0;
      shop.work(async (_, { once }) => {
        const { value: got } = await once(key, () => {
          runs += 1;
          return value;
        });
        return got === value;
      });
      expect((await shop.becomes(await shop.enqueue(), 'completed')).result?.result, what).toBe('true');
      const again = await shop.becomes(await shop.enqueue(), 'dead');
      expect(again.history.at(-1)).toMatchObject({
        errorClass: 'permanent',
        errorCode: 'ONCE_RESULT_LOST',
        message: expect.stringMatching(/is done, but its result is not known/),
      });
      expect(runs).toBe(1);
      await shop.next();
    }
  });
});

describe('a lease', () => {
  it('is renewed for as long as the work takes', async () => {
    const once = createOnce(shop.broker);
    const key = freshKey();
    const { opened, open } = gate<number>();
    // Long enough that no stall of the machine ends it.
    const leaseMs = 4_000;
    const first = once(key, () => opened, { leaseMs });
    const turnedAway: OnceInProgressError[] = [];
    const endsAt = Date.now() + 1.5 * leaseMs;
    await until(
      async () => {
        const error = await once(key, () => 'never').catch((reason: unknown) => reason);
        if (!(error instanceof OnceInProgressError))
          throw new Error(`it got through: ${JSON.stringify(error)}`);
        turnedAway.push(error);
        return Date.now() > endsAt;
      },
      { what: 'its first lease to be over', everyMs: 40 },
    );
    for (const error of turnedAway) expect(error.retryAfterMs).toBeLessThanOrEqual(leaseMs);
    open(7);
    expect(await first).toEqual({ value: 7, reused: false });
    expect(await once(key, () => 'never')).toEqual({ value: 7, reused: true });
  });

  it('that is lost stops the work; what the other run says counts', async () => {
    const key = freshKey();
    const reasons: string[] = [];
    const { opened, open } = gate<string>();
    // As long as it is cut off, its lease runs out.
    let cut = false;
    const { once: verbs } = shop.broker;
    const shaky = {
      once: {
        ...verbs,
        begin: (...args: Parameters<typeof verbs.begin>) =>
          cut ? Promise.reject(new RedriveError('REDIS_UNAVAILABLE', 'cut off')) : verbs.begin(...args),
      },
    };
    const first = createOnce(shaky)(
      key,
      ({ signal }) => {
        signal.addEventListener('abort', () => reasons.push(signal.reason.reason));
        return opened;
      },
      { leaseMs: 150 },
    );
    await until(async () => (await shop.broker.inspect.onceCounts()).started > 0, {
      what: 'the first to begin',
    });
    cut = true;
    await until(() => reasons.length > 0, { what: 'the signal' });
    expect(reasons).toEqual(['lease-lost']);
    const second = await until(() => createOnce(shop.broker)(key, () => 'of the second'), {
      what: 'the second',
    });
    expect(second).toEqual({ value: 'of the second', reused: false });
    open('of the first');
    expect(await first).toEqual({ value: 'of the first', reused: false });
    expect(await createOnce(shop.broker)(key, () => 'never')).toEqual({
      value: 'of the second',
      reused: true,
    });
  });

  it('is not renewed for ever: work that hangs is told to stop, and makes room', async () => {
    const key = freshKey();
    const once = createOnce(shop.broker, { maxRunMs: 200 });
    const reasons: string[] = [];
    void once(
      key,
      ({ signal }) =>
        new Promise(() => signal.addEventListener('abort', () => reasons.push(signal.reason.reason))),
      { leaseMs: 1_500 },
    );
    await until(() => reasons.length > 0, { what: 'the signal' });
    expect(reasons).toEqual(['timeout']);
    expect(await until(() => once(key, () => 'next').catch(() => null), { what: 'the next' })).toMatchObject({
      value: 'next',
    });
  });

  it('of a process that was killed in the middle is waited out; then the work is done by the next', async () => {
    const before = await shop.broker.inspect.onceCounts();
    const child = processes.node(
      ['--import', 'tsx', PROCESS, shop.redis.url, shop.queue, 'crash-in-once', '500'],
      {
        name: 'a worker that dies in once',
      },
    );
    const jobId = await shop.enqueue({ maxAttempts: 2 });
    await child.prints(/working/);
    await child.exited;
    const { count } = shop.work(async (_, { once }) => once('the work', () => 'by the next'));
    const job = await shop.becomes(jobId, 'completed');
    expect(job.result?.result).toBe('{"value":"by the next","reused":false}');
    // It came back, found the dead run's lease, and was given back; two attempts sufficed.
    expect(count('released')).toBeGreaterThanOrEqual(1);
    expect(job.history.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['lost', 'released'] satisfies string[]),
    );
    expect(job.attempt).toBe(2);
    const after = await shop.broker.inspect.onceCounts();
    // The child may have died before it had counted its start.
    expect(after.expired - before.expired).toBe(1);
  });
});

describe('a reply that is lost', () => {
  it('to the beginning or the end changes nothing', async () => {
    const { once: verbs } = shop.broker;
    let lost = 0;
    /** Does it for real the first time, and then claims not to know. */
    const loses =
      <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        const reply = await call(...args);
        lost += 1;
        if (lost <= 1) throw new RedriveError('UNKNOWN_OUTCOME', 'the reply was lost');
        return reply;
      };
    for (const verb of ['begin', 'finish'] as const) {
      lost = 0;
      let runs = 0;
      const shaky = { once: { ...verbs, [verb]: loses(verbs[verb] as () => Promise<never>) } };
      const key = freshKey();
      expect(await createOnce(shaky)(key, () => ++runs)).toEqual({ value: 1, reused: false });
      expect(await createOnce(shop.broker)(key, () => ++runs)).toEqual({ value: 1, reused: true });
    }
  });

  it('for good at the end leaves the work done: its value is returned, and the lease runs out', async () => {
    const { once: verbs } = shop.broker;
    const away = {
      once: { ...verbs, finish: () => Promise.reject(new RedriveError('REDIS_UNAVAILABLE', 'away')) },
    };
    expect(await createOnce(away)(freshKey(), () => 'done', { leaseMs: 300 })).toEqual({
      value: 'done',
      reused: false,
    });
  });
});
