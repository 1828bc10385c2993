/** Live workers of a queue: an entry where their number changed, once with several consoles, and as charts read them. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createContext } from '@/lib/broker/redis/broker-context';
import { IDLE_REPORT } from '@/testing/records/idle-worker';
import { startOperation } from '@/testing/worlds/operation-runs';
import { BY, enqueueAll, jobs, START, setUpWorld } from '@/testing/worlds/world';
import { addWorkerCounts } from './worker-counts';

const world = await setUpWorld();
const ctx = createContext({ redis: world.redis, clock: () => world.clock.now });
const consoles = [world.broker, world.another()];
const MINUTE_MS = 60_000;
const MINUTE = START / MINUTE_MS;
const DAY = 1_440;
/** Each test has days of its own: a minute is folded once. */
let day = 0;
const at = (minute: number) => {
  world.clock.now = START + (day * DAY + minute) * MINUTE_MS;
};
beforeEach(() => {
  day += 30;
});

const queueWithJob = async () => {
  const queue = world.freshQueue();
  await enqueueAll(world.broker, queue, jobs(1));
  return queue;
};
/** Both consoles fold `minute`, in which `workers` live. Each worker serves all of `served`. */
async function foldWith(minute: number, workers: number, served: string[], queues = served): Promise<void> {
  at(minute + 1);
  world.clock.now += 16_000;
  for (let n = 0; n < workers; n++)
    await world.broker.workers.report({
      ...IDLE_REPORT,
      workerId: `w${n}`,
      queues: Object.fromEntries(served.map((queue) => [queue, 1])),
    });
  // A call makes up for some minutes only.
  for (let call = 0; call < 15; call++)
    await Promise.all(consoles.map((broker) => broker.foldAllQueues(queues)));
}
const entriesOf = async (queue: string) => {
  const entries = await world.redis.xrange(world.column(queue, 'workerCounts'), '-', '+');
  return entries.map(([id, [, workers]]) => [Number.parseInt(id, 10) - MINUTE - day * DAY, Number(workers)]);
};
const rangeOf = (from: number, to: number) => {
  const start = START + day * DAY * MINUTE_MS;
  return { from: start + from * MINUTE_MS, to: start + to * MINUTE_MS };
};
const readWorkers = async (queues: string[], from: number, to: number) =>
  (await world.broker.inspect.history(queues, rangeOf(from, to))).workers;
/** As a console that saw so many workers, in a minute of the test's own. */
const add = (queues: string[], workers: number, minute: number) => {
  const live = Array.from({ length: workers }, () => ({
    queues: Object.fromEntries(queues.map((queue) => [queue, 1])),
  }));
  return addWorkerCounts(ctx, queues, live, MINUTE + day * DAY + minute);
};

describe('an entry', () => {
  it('is made once where the number changed, whoever folds, and none while it stays', async () => {
    at(0);
    const [one, other, idle] = [await queueWithJob(), await queueWithJob(), await queueWithJob()];
    const all = [one, other, idle];
    await foldWith(0, 2, [one], all);
    await foldWith(1, 2, [one], all);
    await foldWith(2, 3, [one, other], all);
    await foldWith(3, 3, [one, other], all);
    await foldWith(4, 0, [], all);
    await foldWith(5, 0, [], all);
    expect(await entriesOf(one)).toEqual([
      [0, 2],
      [2, 3],
      [4, 0],
    ]);
    expect(await entriesOf(other)).toEqual([
      [2, 3],
      [4, 0],
    ]);
    expect(await world.redis.exists(world.column(idle, 'workerCounts'))).toBe(0);
  });

  it('is the only one of a minute in which consoles saw different numbers, and later ones follow', async () => {
    at(200);
    const queue = await queueWithJob();
    for (const [minute, workers] of [
      [100, 2],
      [100, 3],
      [99, 4],
      [101, 3],
    ] as const)
      await add([queue], workers, minute);
    expect(await entriesOf(queue)).toEqual([
      [100, 2],
      [101, 3],
    ]);
  });

  it('goes after seven days, but for the last before them, and above 500 the oldest go', async () => {
    at(0);
    const [calm, busy] = [await queueWithJob(), await queueWithJob()];
    for (const [minute, workers] of [
      [0, 1],
      [10, 2],
      [20, 3],
      [7 * DAY + 15, 4],
    ] as const)
      await add([calm], workers, minute);
    expect(await entriesOf(calm)).toEqual([
      [10, 2],
      [20, 3],
      [7 * DAY + 15, 4],
    ]);
    for (let minute = 0; minute < 510; minute++) await add([busy], 1 + (minute % 2), minute);
    const entries = await entriesOf(busy);
    expect([entries.length, entries.at(0), entries.at(-1)]).toEqual([500, [10, 1], [509, 2]]);
  });

  it('is made once for all shards, goes with the queue, and is not made for a queue that is gone', async () => {
    at(0);
    const [queue, gone] = [world.freshQueue(), world.freshQueue()];
    await world.broker.sharding.set(queue, { count: 3 }, BY);
    await enqueueAll(world.broker, queue, jobs(9));
    await enqueueAll(world.broker, gone, jobs(1));
    await foldWith(0, 2, [queue, gone]);
    for (const name of [queue, gone]) expect(await entriesOf(name)).toEqual([[0, 2]]);
    expect(await world.redis.keys(`rd:{${queue}#*}:workerCounts`)).toEqual([]);
    const wanted = { kind: 'delete-queue', queue: gone } as const;
    const { id } = await startOperation(world.broker, wanted, { control: { typedName: gone } });
    await world.broker.operations.runSlice(id, 'runner-1');
    expect(await world.redis.exists(world.column(gone, 'workerCounts'))).toBe(0);
    // By a console that still knows the queue.
    await foldWith(1, 1, [queue, gone]);
    expect(await entriesOf(gone)).toEqual([]);
    expect(await entriesOf(queue)).toEqual([
      [0, 2],
      [1, 1],
    ]);
  });
});

describe('the chart of a queue', () => {
  it('has the number at the end of each step, and no number before the first', async () => {
    at(0);
    const [queue, other] = [await queueWithJob(), await queueWithJob()];
    for (const [minute, workers] of [
      [3, 2],
      [5, 3],
      [12, 0],
    ] as const)
      await add([queue], workers, minute);
    at(15);
    const [none, two, three] = [Array(3).fill(null), [2, 2], Array(7).fill(3)];
    expect(await readWorkers([queue], 0, 15)).toEqual([...none, ...two, ...three, 0, 0, 0]);
    // The last entry before the range says how it begins.
    expect(await readWorkers([queue], 8, 15)).toEqual([3, 3, 3, 3, 0, 0, 0]);
    expect(await readWorkers([other], 0, 15)).toEqual(Array(15).fill(null));
    expect(await readWorkers([queue, other], 0, 15)).toEqual(Array(15).fill(null));
    const ofType = await world.broker.inspect.history([queue], rangeOf(0, 10), {
      kind: 'type',
      name: 'demo',
    });
    expect(ofType.workers).toEqual([null]);
  });

  it('has steps of many minutes over seven days', async () => {
    at(0);
    const queue = await queueWithJob();
    for (const [minute, workers] of [
      [2 * DAY, 1],
      [2 * DAY + 5, 4],
      [6 * DAY, 2],
    ] as const)
      await add([queue], workers, minute);
    at(7 * DAY);
    const history = await world.broker.inspect.history([queue], rangeOf(0, 7 * DAY));
    expect(history.workers).toHaveLength(history.depth.ready.length);
    const stepOf = (minute: number) => Math.floor((minute * MINUTE_MS) / history.stepMs);
    expect(history.stepMs).toBeGreaterThan(5 * MINUTE_MS);
    expect(history.workers.slice(stepOf(2 * DAY) - 1, stepOf(2 * DAY) + 2)).toEqual([null, 4, 4]);
    expect(history.workers.slice(stepOf(6 * DAY) - 1, stepOf(6 * DAY) + 1)).toEqual([4, 2]);
    expect(history.workers.at(-1)).toBe(2);
  });
});
