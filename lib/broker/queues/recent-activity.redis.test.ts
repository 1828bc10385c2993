/** What a reading says about the last minutes and about a backlog: from Redis alone. */
import { expect, it } from 'vitest';
import { claimAll, enqueueAll, jobs, killAll, START, setUpWorld } from '@/testing/worlds/world';
import { slidingCount } from './recent-activity';

const world = await setUpWorld();
const readingOf = async (queue: string) => {
  const [reading] = await world.another().inspect.snapshot([queue]);
  if (!reading) throw new Error(`${queue} cannot be read`);
  return reading;
};
const completeSome = async (queue: string, most: number) => {
  const taken = await claimAll(world.broker, queue, { most });
  await world.broker.ack(
    queue,
    taken.map(({ jobId, token }) => ({ jobId, token })),
  );
};

it('B1: a reader of any age finds what came, ended, was lost and died in the last minutes', async () => {
  const queue = world.freshQueue();
  world.clock.now = START;
  await killAll(world.broker, queue, jobs(6));
  await enqueueAll(world.broker, queue, jobs(4, 100));
  await completeSome(queue, 2);
  await claimAll(world.broker, queue, { leaseMs: 1_000 });
  world.clock.now += 2_000;
  await world.broker.maintain(queue);
  const recent = async (minutes: number) => {
    const { recent, at } = await readingOf(queue);
    const of = (name: 'enqueued' | 'completed' | 'failed' | 'reclaimed' | 'dead') =>
      slidingCount(recent, at, minutes, (one) => one[name]);
    return [of('enqueued'), of('completed'), of('failed'), of('reclaimed'), of('dead')];
  };
  expect(await recent(1)).toEqual([10, 2, 6, 2, 6]);
  // Half of the next minute is over: half of the last one is left in the window.
  world.clock.now = START + 90_000;
  expect(await recent(1)).toEqual([5, 1, 3, 1, 3]);
  world.clock.now = START + 330_000;
  expect(await recent(1)).toEqual([0, 0, 0, 0, 0]);
  expect((await recent(5))[4]).toBe(3);
  world.clock.now = START + 360_000;
  expect((await recent(5))[4]).toBe(0);
});

it('B4: after a burst the forecast is right from its first seconds on', async () => {
  const queue = world.freshQueue();
  world.clock.now = START;
  let made = 0;
  const second = async (arrivals: number, ended: number) => {
    await enqueueAll(world.broker, queue, jobs(arrivals, made));
    made += arrivals;
    await completeSome(queue, ended);
    world.clock.now += 1_000;
  };
  for (let s = 0; s < 130; s++) await second(2, 2);
  const idle = await readingOf(queue);
  expect([
    idle.counts.ready,
    Math.round(idle.flow.donePerSecond),
    Math.round(idle.flow.arrivalPerSecond),
  ]).toEqual([0, 2, 2]);
  await second(120, 5);
  for (let s = 1; s <= 32; s++) {
    await second(2, 5);
    const { flow, counts } = await readingOf(queue);
    if (s < 4 || counts.ready === 0) continue;
    const forecastS = counts.ready / (flow.donePerSecond - flow.arrivalPerSecond);
    expect(forecastS / (counts.ready / 3), `after ${s} s`).toBeGreaterThan(0.7);
    expect(forecastS / (counts.ready / 3), `after ${s} s`).toBeLessThan(1.4);
  }
});

it('B4: after a pause the forecast is of what happens since, and not of the pause', async () => {
  const queue = world.freshQueue();
  world.clock.now = START;
  let made = 0;
  const second = async (arrivals: number, ended: number) => {
    await enqueueAll(world.broker, queue, jobs(arrivals, made));
    made += arrivals;
    await completeSome(queue, ended);
    world.clock.now += 1_000;
  };
  for (let s = 0; s < 70; s++) await second(4, 4);
  await world.broker.pause(queue, { scope: 'queue', reason: 'why' }, { actor: 'ada' });
  for (let s = 0; s < 120; s++) await second(4, 0);
  await world.broker.resume(queue, 'queue', { actor: 'ada' });
  for (let s = 1; s <= 20; s++) {
    await second(4, 20);
    const { flow, counts } = await readingOf(queue);
    if (s < 6 || counts.ready === 0) continue;
    const forecastS = counts.ready / (flow.donePerSecond - flow.arrivalPerSecond);
    expect(forecastS / (counts.ready / 16), `after ${s} s`).toBeGreaterThan(0.7);
    expect(forecastS / (counts.ready / 16), `after ${s} s`).toBeLessThan(1.4);
  }
});

it('B4: jobs of a paused tenant come, and need no workers', async () => {
  const queue = world.freshQueue();
  world.clock.now = START;
  await world.broker.pause(queue, { scope: 'tenant:globex', reason: 'why' }, { actor: 'ada' });
  await enqueueAll(world.broker, queue, jobs(60, 10_000, { tenantId: 'acme' }));
  for (let s = 0; s < 90; s++) {
    await enqueueAll(world.broker, queue, jobs(4, s * 10, { tenantId: 'globex' }));
    await enqueueAll(world.broker, queue, jobs(3, s * 10 + 5, { tenantId: 'acme' }));
    await completeSome(queue, 3);
    world.clock.now += 1_000;
  }
  const { flow, counts } = await readingOf(queue);
  expect(counts.held).toBeGreaterThan(200);
  expect(flow.donePerSecond).toBeCloseTo(3, 0);
  expect(flow.arrivalPerSecond).toBeLessThanOrEqual(flow.donePerSecond);
});

it('B4: a backlog that grows says by how much, where completed jobs are not kept, too', async () => {
  const queue = world.freshQueue();
  await world.broker.config.change(queue, { completedKeep: 0 }, { actor: 'ada', reason: 'why' });
  world.clock.now = START;
  for (let s = 0; s < 90; s++) {
    await enqueueAll(world.broker, queue, jobs(5, s * 5));
    await completeSome(queue, 3);
    world.clock.now += 1_000;
  }
  const { flow } = await readingOf(queue);
  expect(flow.arrivalPerSecond).toBeCloseTo(5, 0);
  expect(flow.donePerSecond).toBeCloseTo(3, 0);
});

it('B1: run times are those of the minutes asked for, of all shards, however old the reader is', async () => {
  const queue = world.freshQueue();
  await world.broker.sharding.set(queue, { count: 3, by: 'id' }, { actor: 'ada', reason: 'why' });
  world.clock.now = START;
  for (const runMs of [20, 300]) {
    await enqueueAll(world.broker, queue, jobs(9, runMs));
    const taken = await claimAll(world.broker, queue);
    world.clock.now += runMs;
    await world.broker.ack(
      queue,
      taken.map(({ jobId, token }) => ({ jobId, token })),
    );
    world.clock.now += 60_000;
  }
  const minute = START / 60_000;
  const read = async (since: number | undefined) => {
    const [reading] = await world.another().inspect.snapshot([queue], () => since);
    return reading?.recentRunTimes.map((one) => [one.minute - minute, one.counts.join(' ')]);
  };
  const [first, second] = [
    [0, '0 9 0 0 0 0 0 0 0 0 0 0 0'],
    [1, '0 0 0 0 0 9 0 0 0 0 0 0 0'],
  ];
  expect(await read(0)).toEqual([first, second]);
  expect(await read(minute + 1)).toEqual([second]);
  expect(await read(minute + 2)).toEqual([]);
  expect(await read(undefined)).toEqual([]);
  // A minute that is over has a sample of its runs.
  await world.broker.maintain(queue);
  const [reading] = await world.another().inspect.snapshot([queue], () => minute);
  expect(reading?.recentRunTimes.map(({ span }) => span)).toEqual([null, { leastMs: 300, mostMs: 300 }]);
});
