/** Drills and slow reclaim with real worker processes: they do what they say. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openLab } from '@/lib/lab/open-lab';
import { createBroker } from '@/testing/create-broker';
import { LAB_DEFAULTS } from '../lib/contract/lab/lab-settings';
import { until } from '../testing/poll';
import { Processes } from '../testing/worlds/processes';
import { setUpRedis } from '../testing/worlds/set-up-redis';

const processes = new Processes();
const redis = await setUpRedis();
const broker = createBroker({ redis: redis.connect({ commandTimeout: 5_000 }) });
const lab = openLab({ redis: redis.connect({ commandTimeout: 5_000 }) });
/** Limits that claim nothing. */
const SOON = { timeoutMs: 90_000, everyMs: 100 };
const CALM = { ...LAB_DEFAULTS, workers: 1, trafficPerSecond: 0, failPercent: 0 };

const supervisor = () =>
  processes.node(['dist/worker/index.js'], {
    name: 'the supervisor',
    env: { REDIS_URL: redis.path, LOG_LEVEL: 'warn' },
  });
/** Whether a job of the broken handler completes. */
async function runsWell(): Promise<boolean> {
  const payload = JSON.stringify({ url: 'https://hooks.acme.example/v2/events' });
  const { jobId } = await broker.enqueue('default', { jobType: 'webhook.deliver', payload });
  const ended = await until(
    async () => {
      const { state } = await broker.inspect.job('default', jobId);
      return state === 'completed' || state === 'dead' ? state : null;
    },
    { what: 'a job to end', ...SOON },
  );
  return ended === 'completed';
}
const drill = async () => (await lab.state()).drills[0];

beforeEach(async () => {
  await processes.stopAll(5_000);
  await redis.connect().flushall();
});
afterAll(async () => {
  await processes.stopAll(5_000);
  broker.close();
});

describe('the drill "Bad deploy"', () => {
  it('kills the jobs of one handler, is noticed, and is over when its dead letters are re-driven', async () => {
    await lab.save(CALM);
    supervisor();
    await until(async () => (await lab.samples()).length > 0, { what: 'a first sample', ...SOON });
    await lab.startDrill('bad-deploy');
    await until(async () => ((await drill())?.died ?? 0) >= 5, { what: 'some jobs to die', ...SOON });
    expect((await drill())?.noticedAt).toEqual(expect.any(Number));
    await lab.stopDrill();
    expect(await lab.settings()).toEqual(CALM);
    const deadIds = async () =>
      (await broker.inspect.list('default', { state: 'dead', limit: 500 })).jobs.map((job) => {
        expect(job).toMatchObject({ jobType: 'webhook.deliver', errorCode: 'HANDLER_BUG' });
        return job.jobId;
      });
    // The worker reads settings now and then: what is re-driven before would only die again.
    await until(runsWell, { what: 'the handler to be put right', ...SOON });
    // Those under way when it was end before the rest is re-driven.
    await until(
      async () => {
        const [reading] = await broker.inspect.snapshot(['default']);
        return reading?.counts['in-flight'] === 0 && reading.counts.ready === 0;
      },
      { what: 'the queue to be empty', ...SOON },
    );
    const ids = await deadIds();
    expect(ids.length).toBeGreaterThan(0);
    await broker.redrive('default', ids, { actor: 'test' });
    const over = await until(
      async () => {
        const latest = await drill();
        return latest?.recoveredAt ? latest : null;
      },
      { what: 'the drill to be over', ...SOON },
    );
    expect(over).toMatchObject({ id: 'bad-deploy', died: ids.length, lost: 0 });
    expect(over.runsFailed).toBeGreaterThanOrEqual(ids.length);
  });
});

describe('slow reclaim', () => {
  it('leaves the jobs of a crashed worker until their leases expire, and says which', async () => {
    await redis.connect().hset('rd:{default}:config', 'maxDeliveries', 50);
    await lab.save({ ...CALM, runTimeMs: 30_000, leaseMs: 4_000, slowReclaim: true });
    supervisor();
    const pid = await until(
      async () => {
        const slot = (await lab.state()).supervisor?.slots[0];
        return slot?.status === 'running' ? slot.pid : null;
      },
      { what: 'a running worker', ...SOON },
    );
    const { jobId } = await broker.enqueue('default', {
      jobType: 'email.send',
      payload: '{"to":"a@example.com"}',
    });
    const held = await until(async () => (await broker.inspect.job('default', jobId))?.claim?.worker, {
      what: 'the job to run',
      ...SOON,
    });
    process.kill(pid, 'SIGKILL');
    const crash = () => lab.state().then(({ crashes }) => crashes.find((one) => one.workerId === held));
    const first = await until(crash, { what: 'the crash to be recorded', ...SOON });
    expect(first.jobs).toEqual([{ queue: 'default', jobId, leaseUntil: expect.any(Number) }]);
    await until(async () => (await crash())?.reclaimed === 1, { what: 'the job to be reclaimed', ...SOON });
    const job = await broker.inspect.job('default', jobId);
    const lost = job.history.find(({ kind }) => kind === 'lost');
    expect(lost).toMatchObject({ errorCode: 'LEASE_EXPIRED', worker: held });
    // By its lease, not by the supervisor.
    expect(lost?.at ?? 0).toBeGreaterThanOrEqual(first.jobs[0]?.leaseUntil ?? Number.POSITIVE_INFINITY);
    expect(await broker.workers.held(held)).toEqual([{ queue: 'default', jobId }]);
  });
});
