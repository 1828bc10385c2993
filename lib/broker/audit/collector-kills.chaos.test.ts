/** Collectors are killed wherever they happen to be, again and again: no record is lost, none is entered twice, and the chain holds. */

import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createBroker } from '@/testing/create-broker';
import { Processes } from '@/testing/worlds/processes';
import { startRedis, type TestRedis } from '@/testing/worlds/redis-server';
import { setUpProgram } from '@/testing/worlds/set-up-program';
import { jobs } from '@/testing/worlds/world';

const ROOT = join(import.meta.dirname, '../../..');
const FIXTURE = await setUpProgram(new URL('./fixtures-collector.ts', import.meta.url));
const QUEUES = ['q1', 'q2', 'q3', 'q4'];
const ROUNDS = 12;
const RECORDS_A_ROUND = 40;

const processes = new Processes();
let redis: TestRedis | undefined;
afterAll(async () => {
  await processes.stopAll();
  await redis?.stop();
});

it('kill -9 of collectors, three at a time', async () => {
  redis = await startRedis();
  const broker = createBroker({ url: redis.path });
  const { path } = redis;
  for (const queue of QUEUES) await broker.enqueueMany(queue, jobs(1));
  const start = async () => {
    const collector = processes.spawn(process.execPath, [FIXTURE, path], {
      cwd: ROOT,
      name: 'a collector',
    });
    await collector.prints(/up/, 30_000);
    return collector;
  };
  let running = await Promise.all([start(), start(), start()]);
  for (let round = 0; round < ROUNDS; round++) {
    const [victim, ...others] = running;
    const replaced = start();
    // Written while they collect; the victim dies with whatever it has in hand once it has entered something of this round.
    for (let i = 0; i < RECORDS_A_ROUND; i++) {
      const reason = `${round}-${i}`;
      await Promise.all(QUEUES.map((queue) => broker.pause(queue, { reason }, { actor: 'ann' })));
      if (i === RECORDS_A_ROUND / 2 + round) victim?.kill('SIGKILL');
    }
    running = [...others, await replaced];
  }
  for (const collector of running) collector.kill('SIGKILL');
  await broker.audit.collect({ thorough: true });
  const reasons = new Map(QUEUES.map((queue) => [queue, [] as (string | null)[]]));
  let entries = 0;
  for await (const entry of broker.audit.matching({})) {
    entries += 1;
    reasons.get(entry.queue ?? '')?.push(entry.reason);
  }
  const expected = Array.from(
    { length: ROUNDS * RECORDS_A_ROUND },
    (_, i) => `${Math.floor(i / RECORDS_A_ROUND)}-${i % RECORDS_A_ROUND}`,
  );
  for (const queue of QUEUES) expect(reasons.get(queue)).toEqual(expected);
  expect(entries).toBe(QUEUES.length * expected.length);
  expect(await broker.audit.check()).toMatchObject({ ok: true, checked: entries, problems: [] });
  broker.close();
});
