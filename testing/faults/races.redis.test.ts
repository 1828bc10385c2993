/** Many at once, by the numbers of docs/bug-catalogue.md: nothing is handed out twice, nothing falls between two of them. */
import { describe, expect, it } from 'vitest';
import { COLUMNS, type Column, GLOBAL_KEYS } from '@/lib/broker/redis/redis-keys';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import { readRaw, violations } from '@/testing/model/invariants';
import { BY, CRASH, claimAll, enqueueAll, failure, ids, jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');
const sound = async (queue: string) =>
  expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);

describe('B13: the last job of a moment is taken while another is added to it', () => {
  it('both are promoted: there is no look before the deed that could be out of date', async () => {
    const queue = world.freshQueue();
    const moment = world.clock.now + 1_000;
    const [adder, promoter] = [world.another(), world.another()];
    const taken: string[] = [];
    // It has come already: what is added to it is due at once, and the promoters empty it over and over.
    world.clock.now = moment + 1;
    await Promise.all([
      ...[0, 1, 2].map(async (lane) => {
        for (let i = 0; i < 300; i++) {
          // Enqueued for a moment later, then moved to the one that all share.
          const jobId = `j${String(lane * 1_000 + i).padStart(6, '0')}`;
          await adder.enqueue(queue, { jobId, jobType: 'demo', delayMs: 1 });
          await world.redis.zadd(world.column(queue, 'scheduled'), 'XX', moment, jobId);
        }
      }),
      ...[0, 1].map(async (lane) => {
        for (let i = 0; i < 300; i++) {
          await promoter.maintain(queue);
          taken.push(...ids((await promoter.claim(queue, { worker: `w${lane}`, count: 5 })).jobs));
        }
      }),
    ]);
    world.clock.now += 10;
    await world.broker.maintain(queue);
    taken.push(...ids(await claimAll(world.broker, queue, { leaseMs: 600_000 })));
    expect([...taken].sort()).toEqual([...names(300), ...names(300, 1_000), ...names(300, 2_000)]);
    await sound(queue);
  });
});

describe('B20: twenty workers on ten thousand jobs', () => {
  it('take each once: as many runs as jobs, and no token twice', { timeout: 60_000 }, async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(10_000));
    await world.broker.config.change(queue, { completedKeep: 10 }, BY);
    const runs: { jobId: string; token: string }[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const broker = world.another();
        let acks: { jobId: string; token: string }[] = [];
        for (;;) {
          const { acked, claimed } = await broker.exchange(queue, acks, {
            worker: `w${i}`,
            count: 1 + (i % 9),
          });
          expect(acked).toEqual(acks.map(() => 'completed'));
          acks = claimed.jobs.map(({ jobId, token }) => ({ jobId, token }));
          runs.push(...acks);
          if (acks.length === 0) return;
        }
      }),
    );
    expect(runs).toHaveLength(10_000);
    expect(new Set(ids(runs)).size).toBe(10_000);
    expect(new Set(runs.map(({ jobId, token }) => `${jobId} ${token}`)).size).toBe(10_000);
    const [reading] = await world.broker.inspect.snapshot([queue]);
    expect(reading?.totals).toMatchObject({ claimed: 10_000, completed: 10_000 });
    await sound(queue);
  });
});

describe('B25: after a hundred thousand changes in any order', () => {
  it('every row is of a job in one state; removed, nothing is left of it, and its id is free once resends are over', {
    timeout: 60_000,
  }, async () => {
    await world.redis.flushdb();
    const queue = world.freshQueue();
    const { broker, clock } = world;
    await broker.config.change(queue, { completedKeep: 500, maxDeliveries: 3, fair: 'tenant' }, BY);
    // A generator with a seed of its own: what fails once fails again.
    let seed = 20_260_101;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    let hand: { jobId: string; token: string }[] = [];
    let changes = 0;
    let sent = 0;
    const some = () => Array.from({ length: 60 }, () => `j${String(random(sent + 1)).padStart(6, '0')}`);
    const distinct = () => [...new Set(some())];
    while (changes < 100_000) {
      const part = hand.slice(0, 120);
      switch (random(14)) {
        case 0:
        case 1:
        case 2: {
          const shape = { tenantId: `t${random(5)}`, priority: random(3), maxAttempts: 2 };
          const late = random(3) === 0 ? { delayMs: 1_500 } : {};
          const unique = random(4) === 0 ? { unique: { key: `k${random(9)}`, scope: 'done' as const } } : {};
          await enqueueAll(broker, queue, jobs(150, sent, { ...shape, ...late, ...unique }));
          sent += 150;
          changes += 150;
          break;
        }
        case 3:
        case 4:
        case 5: {
          const { jobs: taken } = await broker.claim(queue, {
            worker: `w${random(3)}`,
            count: 150,
            leaseMs: 9_000,
          });
          hand.push(...taken.map(({ jobId, token }) => ({ jobId, token })));
          changes += taken.length;
          break;
        }
        case 6:
          await broker.ack(queue, part);
          hand = hand.slice(part.length);
          changes += part.length;
          break;
        case 7: {
          const why = random(2) ? failure() : { ...failure('X', 'retryable' as const), retryInMs: 700 };
          await broker.fail(
            queue,
            part.map((ref) => ({ ...ref, failure: why })),
          );
          hand = hand.slice(part.length);
          changes += part.length;
          break;
        }
        case 8:
          await broker.release(
            queue,
            part.map((ref) => ({ ...ref, delayMs: random(2) * 500 })),
          );
          hand = hand.slice(part.length);
          changes += part.length;
          break;
        case 9:
          await broker.reclaimWorker(queue, `w${random(3)}`, CRASH);
          break;
        case 10: {
          const verbs = ['cancel', 'redrive', 'suppress', 'purge', 'restore', 'promote'] as const;
          const outcomes = await broker[verbs[random(verbs.length)] ?? 'cancel'](queue, distinct(), BY);
          changes += outcomes.filter((outcome) => outcome === 'ok').length;
          break;
        }
        case 11:
          changes += (await broker.remove(queue, distinct())).filter((outcome) => outcome === 'ok').length;
          break;
        case 12:
          if (random(2)) await broker.pause(queue, { scope: `tenant:t${random(5)}`, reason: 'a test' }, BY);
          else await broker.resume(queue, `tenant:t${random(5)}`, BY);
          break;
        default:
          clock.now += 1_000;
          await broker.maintain(queue);
      }
    }
    await sound(queue);
    const known = (key: string) =>
      key.startsWith(`rd:{${queue}}:`)
        ? key.slice(`rd:{${queue}}:`.length) in COLUMNS
        : Object.values(GLOBAL_KEYS).some(({ name }) => key === `rd:${name}`);
    const keys: string[] = [];
    for await (const part of world.redis.scanStream({ count: 1_000 })) keys.push(...(part as string[]));
    expect(keys.filter((key) => !known(key))).toEqual([]);

    clock.now += 10_000;
    await broker.reclaim(queue);
    for (let from = 0; from < sent; from += 1_000) await broker.remove(queue, names(1_000, from));
    const rows: Column[] = [
      'jobs',
      'claims',
      'attempts',
      'history',
      'deaths',
      'results',
      'unique',
      'running',
    ];
    for (const column of rows) expect(await world.redis.hlen(world.column(queue, column)), column).toBe(0);
    for (const column of Object.keys(COLUMNS) as Column[])
      if (COLUMNS[column] === 'zset' && column !== 'wake' && column !== 'fair')
        expect(await world.redis.zcard(world.column(queue, column)), column).toBe(0);
    expect(await broker.inspect.ledger(queue)).toMatchObject({ inStates: 0, difference: 0, strayRows: 0 });
    // Their ids are remembered, and whose they were.
    const anew = () => broker.enqueueMany(queue, jobs(1_000, 0, { tenantId: 'anew' }));
    expect(new Set((await anew()).map(({ outcome }) => outcome))).toEqual(new Set(['conflict']));
    for (let windows = 0; windows < 2; windows++) {
      clock.now += QUEUE_CONFIG_DEFAULT.resendWindowMs;
      await broker.maintain(queue);
    }
    const again = await anew();
    expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['ready']));
  });
});
