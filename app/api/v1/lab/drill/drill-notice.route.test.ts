/** The time to notice of a drill without a viewer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLab } from '@/lib/lab/open-lab';
import { createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { callApi } from '@/testing/worlds/route-caller';
import { setUpRedis } from '@/testing/worlds/set-up-redis';

const redis = await setUpRedis();
const broker = createBroker({ redis: redis.connect() });
const lab = openLab({ redis: redis.connect() });
beforeAll(async () => {
  process.env.REDIS_URL = `unix://${redis.path}`;
  process.env.AUTH = 'none';
  process.env.LOG_LEVEL = 'silent';
  process.env.REDRIVE_LAB = 'on';
  const { createLabPlugIn } = await import('@/lib/server/lab/lab-plug-in');
  const { getPlugIns } = await import('@/lib/server/plug-ins');
  getPlugIns().push(createLabPlugIn());
});
afterAll(async () => {
  const { getSampler } = await import('@/lib/server/live/sampler');
  const { getBroker } = await import('@/lib/server/console-broker');
  const { getPlugIns } = await import('@/lib/server/plug-ins');
  getSampler().stop();
  for (const plugIn of getPlugIns()) plugIn.close();
  getBroker().close();
  broker.close();
});

const control = (body: object) =>
  callApi('POST', '/api/v1/lab/drill', { body, headers: { 'idempotency-key': JSON.stringify(body) } });

test('B11: what the verdict says at the end of a drill counts, and what it said before does not', async () => {
  const pause = async (queue: string) => {
    await broker.pause(queue, { scope: 'queue', reason: 'by hand' }, { actor: 'ann' });
    await broker.enqueue(queue, { jobId: 'j1', jobType: 'email.send' });
  };
  await pause('before');
  expect((await control({ action: 'start', drill: 'noisy-tenant' })).status).toBe(200);
  const { drills } = await lab.state();
  expect(drills[0]).toMatchObject({ verdictAt: null, stoppedAt: null });
  await pause('default');
  expect((await control({ action: 'stop' })).status).toBe(200);
  const noticed = await until(
    async () => {
      const [drill] = (await lab.state()).drills;
      return drill?.verdictAt ? drill : null;
    },
    { what: 'the verdict to count' },
  );
  expect(noticed.verdictAt).toBeLessThanOrEqual(noticed.stoppedAt ?? 0);
  expect(noticed.verdictAt).toBeGreaterThan(noticed.startedAt);
});
