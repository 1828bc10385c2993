/** What the lab keeps in Redis: totals since a reset, drills, and connections that a drill closes. */
import { beforeEach, describe, expect, it } from 'vitest';
import { LAB_CONNECTION_NAME, LAB_DEFAULTS } from '@/lib/contract/lab/lab-settings';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { setUpRedis } from '@/testing/worlds/set-up-redis';
import { type Lab, openLab } from './open-lab';

const redis = await setUpRedis();
let broker: Broker;
let lab: Lab;

beforeEach(async () => {
  await redis.connect().flushall();
  broker = createBroker({ redis: redis.connect() });
  lab = openLab({ redis: redis.connect() });
});

const crash = (workerId: string, reclaimed: number) => ({
  at: 1,
  workerId,
  pid: 1,
  cause: 'SIGKILL',
  reclaimed,
  jobs: [],
});

describe('the totals of the lab', () => {
  it('count a crash once, however often it is reported, and start again at a reset', async () => {
    await lab.crashed(crash('a', 0));
    await lab.crashed(crash('b', 1));
    await lab.crashed(crash('a', 2));
    const before = await lab.state();
    expect(before.session).toEqual({ since: null, crashes: 2, reclaimedBefore: 0 });
    expect(before.crashes.map(({ workerId, reclaimed }) => [workerId, reclaimed])).toEqual([
      ['b', 1],
      ['a', 2],
    ]);

    await broker.enqueue('default', { jobId: 'one', jobType: 'email.send' });
    await broker.claim('default', { worker: 'w' });
    await broker.reclaimWorker('default', 'w', { errorCode: 'WORKER_SIGKILL', message: 'killed' });
    await lab.reset();
    await lab.crashed(crash('c', 0));
    const after = await lab.state();
    expect(after.session).toEqual({ since: expect.any(Number), crashes: 1, reclaimedBefore: 1 });
  });
});

describe('a drill', () => {
  it('changes the settings, runs alone, and gives the settings of before back', async () => {
    const before = { ...LAB_DEFAULTS, workers: 2, trafficPerSecond: 3 };
    await lab.save(before);
    await lab.startDrill('noisy-tenant');
    expect(await lab.settings()).toMatchObject({ failPercent: 0, workers: LAB_DEFAULTS.workers });
    expect(await lab.takeBurst()).toEqual({ jobs: 1_500, tenant: 'acme' });
    await expect(lab.startDrill('outage')).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      message: expect.stringContaining('Noisy tenant'),
    });
    await lab.stopDrill();
    await lab.stopDrill();
    expect(await lab.settings()).toEqual(before);
    await lab.startDrill('outage');
    expect((await lab.state()).drills.map(({ id, stoppedAt }) => [id, stoppedAt !== null])).toEqual([
      ['outage', false],
      ['noisy-tenant', true],
    ]);
  });

  it('is scored by every sample, which the chart is made of', async () => {
    await lab.startDrill('crash-storm');
    await lab.crashed(crash('a', 0));
    // One in the millisecond of the start is not scored.
    const drill = await until(
      async () => {
        await lab.sample(false);
        const [latest] = (await lab.state()).drills;
        return latest?.noticedAt ? latest : null;
      },
      { what: 'a sample after the start' },
    );
    expect(drill).toMatchObject({ crashes: 1, recoveredAt: null });
    const sample = (await lab.samples()).at(-1);
    expect(sample).toMatchObject({ crashes: 1, ready: 0, lost: 0 });
    expect(await lab.samples(sample?.at)).toEqual([]);
  });

  it('B11: is scored once more when it ends, for what happened since the last sample', async () => {
    await lab.startDrill('crash-storm');
    const [{ startedAt } = { startedAt: 0 }] = (await lab.state()).drills;
    await lab.crashed(crash('a', 0));
    // In the millisecond of the start nothing is scored.
    await until(async () => (await broker.now()) > startedAt, { what: 'the clock to go on' });
    await lab.stopDrill();
    const [drill] = (await lab.state()).drills;
    expect(drill).toMatchObject({ crashes: 1, noticedAt: drill?.stoppedAt, recoveredAt: null });
    expect(drill?.noticedAt).toBeGreaterThan(startedAt);
  });

  it('closes the connections of the demo workers, and no others', async () => {
    const worker = createBroker({ url: redis.path, connectionName: LAB_CONNECTION_NAME });
    try {
      await worker.ready();
      const others = redis.connect();
      let closed = 0;
      others.on('close', () => {
        closed += 1;
      });
      await others.ping();
      const clientIds = async () =>
        String(await redis.connect().call('CLIENT', 'LIST'))
          .split('\n')
          .filter((line) => line.includes(` name=${LAB_CONNECTION_NAME} `))
          .map((line) => /^id=(\d+)/.exec(line)?.[1]);
      const before = await clientIds();
      expect(before.length).toBeGreaterThan(0);
      await lab.startDrill('redis-restart');
      expect((await lab.state()).drills[0]?.connectionsCut).toBe(before.length);
      // It comes back by itself, on other connections.
      await until(async () => (await worker.now().catch(() => 0)) > 0, { what: 'the worker to be back' });
      expect((await clientIds()).filter((id) => before.includes(id))).toEqual([]);
      expect(closed).toBe(0);
    } finally {
      worker.close();
    }
  });
});
