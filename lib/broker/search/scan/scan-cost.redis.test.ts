/** What a search may cost others: a step that judges payloads ends by how much it has looked through, not only by what it read. */
import { expect, it } from 'vitest';
import { watchScripts } from '@/testing/model/watch-scripts';
import { jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const KEYS = 5_000;
const list = (n: number) => `{"items":[${Array.from({ length: n }, (_, i) => `{"id":${i}}`).join(',')}]}`;

it('a payload that has its key thousands of times is read by whoever asked, and not left out', async () => {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(40, 0, { payload: list(KEYS) }));
  const found = async (q: string) =>
    (await world.broker.inspect.search({ state: 'dead', q, queue }, { limit: 500 })).matching.count;
  expect(await found(`payload.items.id:${KEYS - 1}`)).toBe(40);
  expect(await found(`payload.items.id:${KEYS}`)).toBe(0);
});

it('small payloads are looked at by as many at a time as have few keys together', async () => {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(600, 0, { payload: list(100) }));
  const watch = await watchScripts(world);
  const page = await world.broker.inspect.search({ state: 'dead', q: 'payload.items.id:100', queue });
  expect(page.matching).toEqual({ count: 0, exact: true });
  const work = (await watch.stop()).get('search');
  // A hundred keys each, some thousands a step.
  expect(work?.jobs).toBeLessThanOrEqual(60);
});

it('entries that their death row rules out at a glance are passed by the hundred, in one script', async () => {
  const queue = world.freshQueue();
  const dead = (n: number, from: number, jobType: string, tenantId: string) =>
    killAll(world.broker, queue, jobs(n, from, { jobType, tenantId }));
  await dead(700, 0, 'order.place', 'acme');
  await dead(700, 700, 'order.ship', 'umbrella');
  await dead(3, 1_400, 'order.ship', 'acme');
  const watch = await watchScripts(world);
  const page = await world.broker.inspect.search({ state: 'dead', q: 'tenant:acme type:order.ship', queue });
  expect(page.matching).toEqual({ count: 3, exact: true });
  expect(page.scan).toEqual({ found: 3, scanned: 703, of: 703 });
  expect((await watch.stop()).get('search')?.calls).toBe(1);
});

it('entries that another small range does not hold are passed without their rows', async () => {
  const queue = world.freshQueue();
  const dead = (n: number, from: number, jobType: string, tenantId: string) =>
    killAll(world.broker, queue, jobs(n, from, { jobType, tenantId }));
  await dead(200, 0, 'order.place', 'acme');
  await dead(230, 200, 'order.ship', 'umbrella');
  await dead(3, 430, 'order.ship', 'acme');
  await dead(900, 433, 'order.pay', 'other');
  await world.redis.config('RESETSTAT');
  const page = await world.broker.inspect.search(
    { state: 'dead', q: 'tenant:acme type:order.ship', queue },
    { limit: 50 },
  );
  expect(page.jobs.map(({ jobId }) => jobId)).toEqual(['j000432', 'j000431', 'j000430']);
  expect(page.scan).toEqual({ found: 3, scanned: 203, of: 203 });
  expect(await world.redis.info('commandstats')).toContain('cmdstat_zmscore:calls=');
});
