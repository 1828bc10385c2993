/** Jobs that this worker cannot run: given back while another release can, else tried again and dead with a sentence. */
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { IDLE_REPORT } from '@/testing/records/idle-worker';
import { setUpWorkshop } from '@/testing/worlds/workers';
import { defineHandler } from '../run/handler';
import { handlerReport, releaseReport } from '../run/handler-report';

const shop = await setUpWorkshop();
afterEach(() => shop.next());

const handler = (type: string, version: number, schema: z.ZodType = z.unknown()) =>
  defineHandler({ type, version, schema, run: () => 1 });
/** A worker of another release tells what it can run, and is never seen to claim. */
const tell = (workerId: string, handlers: ReturnType<typeof handler>[], version = 'new') => {
  const told = handlerReport(handlers);
  const queues = { [shop.queue]: 1 };
  return shop.broker.workers.report(
    { ...IDLE_REPORT, workerId, queues, handlers: told.handlers, version },
    told.schemas,
    releaseReport(version, Object.keys(queues), told),
  );
};

describe('a job that this worker cannot run', () => {
  it('goes back without an attempt as long as another release knows its type, however many workers there were', async () => {
    await tell('knows', [handler('demo.new', 1)]);
    // They push the row of the one that knows out of the registry.
    for (let i = 0; i < 205; i++) await tell(`crowd-${i}`, [handler('demo.run', 1)], 'crowd');
    const { saw } = shop.work(() => 1);
    const jobId = await shop.enqueue({ jobType: 'demo.new', maxAttempts: 1 });
    await saw('released', 4);
    const job = await shop.detail(jobId);
    expect(job.state).not.toBe('dead');
    expect(job.attempt).toBeLessThanOrEqual(1);
  });

  it('keeps its place the first time', async () => {
    await tell('knows', [handler('demo.new', 1)]);
    const first = await shop.enqueue({ jobType: 'demo.new' });
    const second = await shop.enqueue();
    const { saw, worker } = shop.work(() => 1, { concurrency: 1 });
    await saw('released');
    worker.quiet();
    await shop.becomes(second, 'completed').catch(() => undefined);
    const { history } = await shop.detail(first);
    expect(history.some(({ kind }) => kind === 'released')).toBe(true);
  });

  it.each([
    [
      'type',
      { jobType: 'demo.nobody' },
      'UNKNOWN_TYPE',
      /No worker knows the job type demo\.nobody \(version 1\)/,
    ],
    ['version', { jobVersion: 7 }, 'UNKNOWN_VERSION', /No worker knows version 7 of the job type demo\.run/],
  ])(
    'is tried again by the policy and then dead where no release knows its %s',
    async (_, more, code, said) => {
      shop.work(() => 1);
      const jobId = await shop.enqueue({ ...more, maxAttempts: 3 });
      const { history, attempt } = await shop.becomes(jobId, 'dead');
      expect(history.at(-1)).toMatchObject({ errorClass: 'unsupported-version', errorCode: code });
      expect(history.at(-1)?.message).toMatch(said);
      expect(attempt).toBe(3);
      expect(history.filter(({ kind }) => kind === 'released')).toEqual([]);
    },
  );

  it('waits for the release whose schema takes its payload, and dies at once where none does', async () => {
    await tell('knows', [handler('demo.run', 1, z.strictObject({ added: z.number() }))]);
    const { saw } = shop.work(() => 1);
    const waits = await shop.enqueue({ payload: '{"n":"x","added":1}', maxAttempts: 1, jobId: 'refused' });
    expect((await shop.becomes(waits, 'dead')).history.at(-1)?.errorClass).toBe('malformed');
    const fits = await shop.enqueue({ payload: '{"n":{}}', maxAttempts: 1 });
    expect((await shop.becomes(fits, 'dead')).history.at(-1)?.errorClass).toBe('malformed');
    await tell('takes', [handler('demo.run', 1, z.object({ n: z.string() }))], 'newer');
    await shop.enqueue({ payload: '{"n":"x"}', maxAttempts: 1 });
    await saw('released', 3);
  });

  it('does not wait for ever for a release whose schema may take its payload', async () => {
    await tell('takes', [handler('demo.run', 1, z.object({ n: z.string() }))], 'newer');
    shop.work(() => 1, { rolloutMs: 200 });
    const jobId = await shop.enqueue({ payload: '{"n":"x"}', maxAttempts: 1 });
    const { history, deliveries } = await shop.becomes(jobId, 'dead');
    expect(history.at(-1)?.errorClass).toBe('malformed');
    expect(deliveries).toBeGreaterThan(3);
  });

  it('releases are forgotten after a day, and beyond 50 the one that was silent for longest', async () => {
    for (let i = 0; i < 60; i++) await tell('one', [handler('demo.run', 1)], `release ${i}`);
    const { releases } = await shop.broker.workers.releases();
    expect(releases).toHaveLength(50);
    expect(releases.at(-1)?.version).toBe('release 59');
    const rows = await shop.redis.connect().hkeys('rd:{.workers}:schemas');
    expect(rows.filter((name) => /^\.[0-9a-f]{16}$/.test(name))).toHaveLength(50);
  });
});
