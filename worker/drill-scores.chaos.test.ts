/** Every drill of the lab against real worker processes: it begins, the numbers show it, it is stopped, and its traces go. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLab } from '@/lib/lab/open-lab';
import { createBroker } from '@/testing/create-broker';
import { LAB_DRILLS, type LabDrillId } from '../lib/contract/lab/lab-drills';
import type { LabDrill } from '../lib/contract/lab/lab-schemas';
import { LAB_DEFAULTS } from '../lib/contract/lab/lab-settings';
import { until } from '../testing/poll';
import { Processes } from '../testing/worlds/processes';
import { setUpRedis } from '../testing/worlds/set-up-redis';

const processes = new Processes();
const redis = await setUpRedis();
const broker = createBroker({ redis: redis.connect({ commandTimeout: 5_000 }) });
const lab = openLab({ redis: redis.connect({ commandTimeout: 5_000 }) });
/** Limits that claim nothing. */
const SOON = { timeoutMs: 120_000, everyMs: 200 };
/** What drills return to: workers that are quickly done with what a drill left. */
const CALM = { ...LAB_DEFAULTS, workers: 2, trafficPerSecond: 0, failPercent: 0, runTimeMs: 20 };

const drill = async () => (await lab.state()).drills[0];
const drillThat = (what: string, is: (latest: LabDrill) => boolean) =>
  until(
    async () => {
      const latest = await drill();
      return latest && is(latest) ? latest : null;
    },
    { what: `the drill that ${what}`, ...SOON },
  );
const completed = async () => (await lab.samples()).at(-1)?.completed ?? 0;

beforeAll(async () => {
  await lab.save(CALM);
  processes.node(['dist/worker/index.js'], {
    name: 'the supervisor',
    env: { REDIS_URL: redis.path, LOG_LEVEL: 'warn' },
  });
  await until(async () => (await lab.samples()).length > 0, { what: 'a first sample', ...SOON });
});
afterAll(async () => {
  await processes.stopAll(5_000);
  broker.close();
});

/** Stops the drill: the settings of before return, and it ends without a lost job. */
async function expectRecovery(id: LabDrillId): Promise<void> {
  await lab.stopDrill();
  expect(await lab.settings()).toEqual(CALM);
  const over = await drillThat('is over', ({ recoveredAt }) => recoveredAt !== null);
  expect(over.recoveredAt).toBeGreaterThan(over.stoppedAt ?? Number.POSITIVE_INFINITY);
  expect(over).toMatchObject({ id, lost: 0 });
}

// Not "Bad deploy": its dead letters must be re-driven before it is over, which lab-drills.chaos.test.ts does.
const DRILLS = LAB_DRILLS.filter((id) => id !== 'bad-deploy' && id !== 'redis-restart');

describe('a drill', () => {
  it.each(DRILLS)('%s is noticed while it runs, and over some time after its stop', async (id) => {
    await lab.startDrill(id);
    const noticed = await drillThat('is noticed', ({ noticedAt }) => noticedAt !== null);
    expect(noticed).toMatchObject({ id, stoppedAt: null, recoveredAt: null });
    expect(noticed.noticedAt).toBeGreaterThan(noticed.startedAt);
    await expectRecovery(id);
  });

  it('redis-restart closes the connections of all workers, which go on', async () => {
    await lab.startDrill('redis-restart');
    await drillThat('closed connections', ({ connectionsCut }) => (connectionsCut ?? 0) > 0);
    const before = await completed();
    await until(async () => (await completed()) > before + 20, { what: 'jobs to complete again', ...SOON });
    await expectRecovery('redis-restart');
  });
});
