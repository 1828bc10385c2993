/** A loss of data that is noticed while a process reads how queues are sharded: it ends with what Redis has, whichever comes first. */
import type { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { shardedQueue } from '@/testing/worlds/sharded-queues';
import { enqueueAll, jobs, setUpWorld } from '@/testing/worlds/world';
import { createContext } from '../redis/broker-context';
import { createShards, type Shards } from './sharded-context';

const world = await setUpWorld();

const ROUNDS = 50;
const PACKETS = 3;
/** More than there are between the last answer of Redis and the end of a reading. */
const TURNS = 40;

/** Forgets so many microtasks after the given packet of answers came from Redis. */
function forgetAfter(redis: Redis, shards: Shards, packet: number, turns: number): () => void {
  let packets = 0;
  const onPacket = async () => {
    packets += 1;
    if (packets !== packet) return;
    for (let turn = 0; turn < turns; turn++) await null;
    shards.forget();
  };
  redis.stream.on('data', onPacket);
  return () => redis.stream.off('data', onPacket);
}

it('finds the shards of a queue, at whatever moment of a reading everything is forgotten', async () => {
  const { queue } = await shardedQueue(world, { count: 4 });
  const redis = world.server.connect();
  const ctx = createContext({ redis });
  await ctx.ready();
  const wrong: string[] = [];
  for (let packet = 1; packet <= PACKETS; packet++)
    for (let turns = 0; turns < TURNS; turns++) {
      for (const verb of ['fresh', 'of'] as const) {
        const shards = createShards(ctx);
        const stop = forgetAfter(redis, shards, packet, turns);
        const counts = [(await shards[verb](queue)).count, (await shards.of(queue)).count];
        stop();
        if (counts.some((count) => count !== 4)) wrong.push(`${verb} ${packet} ${turns}: ${counts}`);
      }
    }
  ctx.close();
  expect(wrong).toEqual([]);
});

it('acks where a job was claimed, while a loss is noticed and layouts are restored', async () => {
  for (let sharded = 1; sharded <= 4; sharded++) {
    const { queue } = await shardedQueue(world, { count: 4 });
    await enqueueAll(world.broker, queue, jobs(ROUNDS));
    const outcomes: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      // As after a FLUSHDB whose data were entered anew by the time it is noticed.
      await world.redis.set(world.keys.global('dataset'), `round${round} ${Date.now()}`);
      const noticed = world.broker.dataset.look();
      const { jobs: taken } = await world.broker.claim(queue, { worker: 'w' });
      outcomes.push(...(await world.broker.ack(queue, taken)));
      await noticed;
    }
    expect(outcomes).toEqual(Array(ROUNDS).fill('completed'));
  }
});
