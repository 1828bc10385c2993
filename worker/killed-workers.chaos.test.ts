/** The promise this product is about: workers are killed in the middle of jobs, again and again, and no job is lost. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LabSettings } from '@/lib/contract/lab/lab-schemas';
import { type Lab, openLab } from '@/lib/lab/open-lab';
import { type Broker, createBroker } from '@/testing/create-broker';
import { LAB_DEFAULTS } from '../lib/contract/lab/lab-settings';
import { until } from '../testing/poll';
import { Processes } from '../testing/worlds/processes';
import { setUpRedis } from '../testing/worlds/set-up-redis';

const JOBS = 1_000;
const CRASHES = 40;
const QUEUE = 'default';
const processes = new Processes();
const redis = await setUpRedis();
let broker: Broker;
let lab: Lab;

beforeAll(async () => {
  broker = createBroker({ redis: redis.connect({ commandTimeout: 5_000 }) });
  lab = openLab({ redis: redis.connect({ commandTimeout: 5_000 }) });
});
afterAll(async () => {
  await processes.stopAll(5_000);
});

async function reading() {
  const [one] = await broker.inspect.snapshot([QUEUE]);
  if (!one) throw new Error('no reading');
  return one;
}

async function idsIn(state: 'completed' | 'dead'): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await broker.inspect.list(QUEUE, { state, limit: 500, cursor });
    ids.push(...page.jobs.map(({ jobId }) => jobId));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return ids;
}

it(`loses none of ${JOBS} jobs while workers are killed at least ${CRASHES} times`, async () => {
  const plain = redis.connect();
  // Room for a job to be caught in many crashes, and for every outcome to be kept.
  await plain.hset(`rd:{${QUEUE}}:config`, 'maxDeliveries', 50, 'completedKeep', 5_000);
  const settings: LabSettings = {
    ...LAB_DEFAULTS,
    workers: 4,
    concurrency: 4,
    runTimeMs: 8,
    runTimeSpreadPercent: 40,
    failPercent: 3,
    crashPercent: 30,
    trafficPerSecond: 0,
    leaseMs: 8_000,
  };
  await lab.save(settings);
  const jobs = Array.from({ length: JOBS }, (_, i) => ({
    jobId: `headline-${i}`,
    jobType: 'email.send',
    payload: `{"to":"user${i}@example.com"}`,
    // One in a hundred no worker understands: these must end dead, and only these may be missing among the completed.
    ...(i % 100 === 0 ? { jobVersion: 99, maxAttempts: 1 } : { jobVersion: 1, maxAttempts: 50 }),
  }));
  for (let i = 0; i < JOBS; i += 1_000) await broker.enqueueMany(QUEUE, jobs.slice(i, i + 1_000));

  const startedAt = performance.now();
  const env = { REDIS_URL: redis.path, LOG_LEVEL: 'warn' };
  const supervisor = processes.node(['dist/worker/index.js'], { name: 'the supervisor', env });
  const crashes = async () =>
    (await lab.state()).supervisor?.slots.reduce((sum, slot) => sum + slot.crashes, 0) ?? 0;
  await until(async () => (await crashes()) >= CRASHES, {
    what: `${CRASHES} crashes`,
    timeoutMs: 150_000,
    everyMs: 100,
  });
  const stormSeconds = (performance.now() - startedAt) / 1_000;
  const beforePeace = await reading();
  await lab.save({ ...settings, crashPercent: 0, failPercent: 0 });
  const ended = await until(
    async () => {
      const { counts } = await reading();
      return counts.completed + counts.dead === JOBS;
    },
    { what: 'every job to end', timeoutMs: 90_000, everyMs: 100 },
  );
  expect(ended).toBe(true);
  const seconds = (performance.now() - startedAt) / 1_000;

  const { counts, totals, attempts } = await reading();
  const ledger = await broker.inspect.ledger(QUEUE);
  const [completed, dead] = [await idsIn('completed'), await idsIn('dead')];
  const total = await crashes();
  console.log(
    `headline: ${seconds.toFixed(1)} s (${stormSeconds.toFixed(1)} s of them with crashes), ${total} crashes by SIGKILL, ${totals.reclaimed} leases taken back, ` +
      `${totals.claimed} claims, ${counts.completed} completed (${beforePeace.counts.completed} before the crashes stopped), ` +
      `${counts.dead} dead, ${totals.failed} failed runs, at most ${Math.max(...attempts.keys())} attempts, ` +
      `ledger difference ${ledger.difference}, stray rows ${ledger.strayRows}`,
  );
  expect(total).toBeGreaterThanOrEqual(CRASHES);
  expect(totals.reclaimed).toBeGreaterThanOrEqual(CRASHES);
  // None lost, none twice: each job ended exactly once, in exactly one place.
  expect(new Set([...completed, ...dead])).toEqual(new Set(jobs.map(({ jobId }) => jobId)));
  expect(completed.length + dead.length).toBe(JOBS);
  expect(dead.length).toBeGreaterThanOrEqual(JOBS / 100);
  expect(totals).toMatchObject({
    enqueued: JOBS,
    completed: counts.completed,
    dead: counts.dead,
    duplicates: 0,
  });
  expect(totals.claimed).toBe(totals.completed + totals.failed + totals.reclaimed + totals.released);
  expect(ledger).toMatchObject({ difference: 0, strayRows: 0, enqueued: JOBS, deleted: 0 });

  const exit = await supervisor.stop({ graceMs: 5_000 });
  expect(exit).toMatchObject({ code: 0, signal: null });
});
