/** C14, C19: a rolling deploy kills nothing. Workers of two releases run side by side, as processes, while jobs of the newer one come in. */
import { afterAll, expect, it } from 'vitest';
import { until } from '@/testing/poll';
import { Processes } from '@/testing/worlds/processes';
import { setUpProgram } from '@/testing/worlds/set-up-program';
import { setUpWorkshop } from '@/testing/worlds/workers';
import { BY } from '@/testing/worlds/world';

const DEPLOYS = 10;
const JOBS = 40;
const PROGRAM = await setUpProgram(new URL('./fixture-release.ts', import.meta.url));
const processes = new Processes();
const shop = await setUpWorkshop();
afterAll(() => processes.stopAll());

const start = async (release: number) => {
  const child = processes.node([PROGRAM, shop.redis.url, shop.queue, String(release)], {
    name: `release ${release}`,
  });
  await child.prints(/up/);
  await until(
    async () => {
      const { releases } = await shop.broker.workers.releases();
      return releases.some(
        ({ version, queues }) => version === String(release) && queues.includes(shop.queue),
      );
    },
    { what: `release ${release} to be known` },
  );
  return child;
};

/** Jobs that only the newest release can run, behind and before some that each can. */
const load = (release: number) =>
  Promise.all(
    [`added-${release}`, 'order', 'added-1'].flatMap((jobType) =>
      Array.from({ length: JOBS }, (_, i) =>
        shop.enqueue({
          jobType,
          jobId: `${release}-${jobType}-${i}`,
          payload: jobType === 'order' ? JSON.stringify({ [`field${release}`]: i }) : '{}',
          maxAttempts: 1,
        }),
      ),
    ),
  );
const counts = async () => (await shop.broker.inspect.snapshot([shop.queue]))[0]?.counts;

it('C14, C19: ten deploys under load, with new types and new optional fields: no job dead, none lost', async () => {
  await shop.broker.config.change(shop.queue, { completedKeep: 10_000 }, BY);
  let old = await start(1);
  let sent = 0;
  for (let release = 2; release <= DEPLOYS + 1; release++) {
    const fresh = await start(release);
    await load(release);
    sent += 3 * JOBS;
    // The old one leaves once it has met jobs of the new one, while others wait.
    await until(async () => ((await counts())?.completed ?? 0) > sent - 2 * JOBS, {
      what: 'jobs to complete',
    });
    old.kill('SIGTERM');
    expect(await old.exited).toMatchObject({ code: 0 });
    old = fresh;
  }
  await until(async () => (await counts())?.completed === sent, {
    what: `${sent} jobs to complete`,
    timeoutMs: 90_000,
  });
  expect(await counts()).toMatchObject({ dead: 0, completed: sent });
  expect(await shop.broker.inspect.ledger(shop.queue)).toMatchObject({ difference: 0, strayRows: 0 });
});
