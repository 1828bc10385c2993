/** At concurrency 1 the end of one job and the claim of the next are one call, which leaves before anything else has its turn. */
import { afterEach, expect, it } from 'vitest';
import { createBroker } from '@/testing/create-broker';
import { setUpWorkshop } from '@/testing/worlds/workers';

const JOBS = 200;
const shop = await setUpWorkshop();
afterEach(() => shop.next());

/** A broker that says on which turn of the event loop its connection wrote. */
function watchedBroker() {
  const redis = shop.redis.connect({ commandTimeout: 5_000 });
  const writes: number[] = [];
  let turn = 0;
  const count = () => {
    turn += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  redis.on('ready', () => {
    const { stream } = redis;
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (...args: unknown[]) => {
      writes.push(turn);
      return write(...args);
    };
  });
  const broker = createBroker({ redis });
  return { broker, writes, turn: () => turn, stop: () => clearImmediate(next) };
}

it('leaves in the turn in which the handler ended, with the ack', async () => {
  const watched = watchedBroker();
  const ends: number[] = [];
  const jobs = Array.from({ length: JOBS }, () => ({ jobType: 'demo.run', payload: '{}' }));
  await shop.broker.enqueueMany(shop.queue, jobs);
  const { saw } = shop.work(() => void ends.push(watched.turn()), { on: watched.broker, concurrency: 1 });
  await saw('completed', JOBS);
  watched.stop();
  const wrote = new Set(watched.writes);
  expect(ends).toHaveLength(JOBS);
  for (const turn of ends) expect(wrote).toContain(turn);
  // One call a job, and few of the worker's own: its scripts, its report, its schedules.
  console.log(`${watched.writes.length} writes for ${JOBS} jobs`);
  expect(watched.writes.length).toBeLessThan(1.5 * JOBS);
});
