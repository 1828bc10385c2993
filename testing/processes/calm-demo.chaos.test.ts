/**
 * The demo as it starts, with its own settings and a real console: nothing is wrong but the few jobs that it lets die, which are new failures
 * for an hour, and the console says so all the time.
 */
import { afterAll, expect, it } from 'vitest';
import { LAB_DEFAULTS, LAB_QUEUES } from '@/lib/contract/lab/lab-settings';
import { overviewSchema } from '@/lib/contract/queues/queue-schemas';
import { openLab } from '@/lib/lab/open-lab';
import { createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { Processes, requireBuild } from '@/testing/worlds/processes';
import { startRealConsole } from '@/testing/worlds/real-console';
import { setUpRedisOnPort } from '@/testing/worlds/set-up-redis';

/** Jobs that end while the verdict is watched: about a minute of the demo's traffic. */
const JOBS = 400;
/** What the few jobs are that it lets die: new failures, and some of a version of the future. */
const OF_DEATHS: ReadonlySet<string> = new Set(['NEW_FAILURE', 'UNKNOWN_JOB']);
const SOON = { timeoutMs: 200_000, everyMs: 500 };

requireBuild();
const processes = new Processes();
const redis = await setUpRedisOnPort();
const broker = createBroker({ redis: redis.connect({ commandTimeout: 5_000 }) });
const lab = openLab({ redis: redis.connect({ commandTimeout: 5_000 }) });
afterAll(async () => {
  await processes.stopAll(5_000);
  broker.close();
});

it('has nothing to say but of new failures from the moment its workers run', async () => {
  const env = { REDIS_URL: redis.url, LOG_LEVEL: 'warn' };
  processes.node(['dist/worker/index.js'], { name: 'the supervisor', env });
  const own = await startRealConsole(processes, { redisUrl: redis.url, env: { REDRIVE_LAB: 'on' } });
  const overview = async () => overviewSchema.parse((await own.ask('/api/v1/queues')).json());
  const endedJobs = async () =>
    (await broker.inspect.snapshot(Object.keys(LAB_QUEUES))).reduce(
      (sum, { totals }) => sum + totals.completed + totals.dead,
      0,
    );
  await until(
    async () => {
      const slots = (await lab.state()).supervisor?.slots ?? [];
      const workers = Math.min(...(await overview()).queues.map((queue) => queue.workers));
      return slots.length === LAB_DEFAULTS.workers && workers === LAB_DEFAULTS.workers;
    },
    { what: 'every worker of the demo to be counted', ...SOON },
  );
  expect(await lab.settings()).toEqual(LAB_DEFAULTS);
  const first = await endedJobs();
  const said = new Set<string>();
  await until(
    async () => {
      const { verdict } = await overview();
      for (const { code, sentence } of verdict.findings)
        if (!OF_DEATHS.has(code)) said.add(`${code}: ${sentence}`);
      return (await endedJobs()) >= first + JOBS;
    },
    { what: `${JOBS} jobs to end`, ...SOON },
  );
  expect([...said]).toEqual([]);
  const { queues, verdict } = await overview();
  const dead = queues.reduce((sum, { counts }) => sum + counts.dead, 0);
  expect(dead).toBeGreaterThan(0);
  expect(verdict.findings.filter(({ code }) => OF_DEATHS.has(code))).not.toEqual([]);
  expect(verdict.level).toBe('warn');
  // Each finding shows in the row of its queues, too.
  expect(queues.map(({ level }) => level)).toEqual(
    queues.map(({ counts }) => (counts.dead > 0 ? 'warn' : 'ok')),
  );
});
