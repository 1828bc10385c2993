/** A console whose Redis loses its data says so, whether anybody watches or not. */
import { createWorker, defineHandler } from 'redrive';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import { setUpRedisOnPort } from '@/testing/worlds/set-up-redis';
import { BY } from '@/testing/worlds/world';

const redis = await setUpRedisOnPort();
const warnings: { fields: object; message: string }[] = [];
beforeAll(async () => {
  process.env.REDIS_URL = redis.url;
  process.env.AUTH = 'none';
  process.env.LOG_LEVEL = 'silent';
});
afterAll(async () => {
  const { getSampler } = await import('../live/sampler');
  const { getBroker } = await import('../console-broker');
  const { getDataLossWatch: getDataWatch } = await import('./data-loss-watch');
  const { getAuditCollector } = await import('../audit/audit-collector');
  getDataWatch().stop();
  getAuditCollector().stop();
  getSampler().stop();
  getBroker().close();
});

const WITHIN_MS = 2_000;

test('F3: after FLUSHALL and after a restart without data the console says within two seconds what happened, and the worker registers anew', async () => {
  const { getSampler } = await import('../live/sampler');
  const { getBroker } = await import('../console-broker');
  const { getDataLossWatch: getDataWatch } = await import('./data-loss-watch');
  const { getAuditCollector } = await import('../audit/audit-collector');
  const { metricsText } = await import('../live/metrics-text');
  const { createBroker } = await import('@/testing/create-broker');
  const producer = createBroker({ url: redis.url });
  const logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: (fields: object, message: string) => warnings.push({ fields, message }),
    error: () => undefined,
  };
  const handler = defineHandler({ type: 'load', schema: z.unknown(), run: () => undefined });
  const worker = createWorker({
    url: redis.url,
    queues: { orders: 1 },
    concurrency: 2,
    handlers: [handler],
    logger,
  });
  getDataWatch().start();
  getAuditCollector().start();
  worker.start();
  let [next, stopped] = [0, false];
  const filling = (async () => {
    while (!stopped) {
      const input = { jobId: `n${next++}`, jobType: 'load', payload: '1' };
      await producer.enqueue('orders', input).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const overview = async () => (await getSampler().current()).frame.overview;
  const lossIn = async () => (await overview()).verdict.findings.find(({ code }) => code === 'DATA_LOST');
  try {
    await until(async () => (await overview()).queues[0]?.workers === 1, {
      what: 'the queue to run',
    });
    await getBroker().config.change('orders', { depthLimit: 100_000 }, BY);
    await until(
      async () => {
        await getAuditCollector().look();
        return (await getBroker().audit.head()).n > 0;
      },
      { what: 'the audit log to begin' },
    );
    expect(await lossIn()).toBeUndefined();
    expect(await metricsText('')).toContain('redrive_redis_data_losses_total 0');

    let seen = 0;
    let saidAt: number | undefined;
    for (const lose of [() => redis.connect().flushall(), () => redis.restart()]) {
      warnings.length = 0;
      const before = Date.now();
      await lose();
      const after = Date.now();
      const lostAtMs = performance.now();
      const found = await until(
        async () => {
          const finding = await lossIn();
          return finding && finding.at !== saidAt ? finding : undefined;
        },
        { what: 'the verdict to say it' },
      );
      await expectWithin(performance.now() - lostAtMs, WITHIN_MS);
      saidAt = found.at;
      // A console that starts now says the same.
      const young = createBroker({ url: redis.url });
      expect((await young.dataset.loss())?.lastSeenAt).toBe(saidAt);
      young.close();
      expect(found).toMatchObject({ level: 'bad', queue: null });
      expect(saidAt).toBeGreaterThan(before - 2_500);
      expect(found.at).toBeLessThanOrEqual(after);
      expect(found.sentence).toMatch(
        new RegExp(`^This Redis lost its data at ${new Date(found.at ?? 0).toISOString()}: it was emptied`),
      );
      await until(async () => (await overview()).queues[0]?.workers === 1, {
        what: 'queue and worker to be listed again',
      });
      expect(await metricsText('')).toContain(`redrive_redis_data_losses_total ${++seen}`);
      await until(() => warnings.some(({ message }) => message.startsWith('this Redis lost its data')), {
        what: 'the worker to say it',
      });
      // Told every thirtieth report otherwise: its schemas, its release, and the list of releases.
      await until(async () => (await redis.connect().hlen('rd:{.workers}:schemas')) === 3, {
        what: 'what its handlers take',
      });
      await expectWithin(performance.now() - lostAtMs, 2 * WITHIN_MS);
      if (seen === 1)
        await until(
          async () => {
            const { events: entries } = await getBroker().audit.list({ limit: 10 });
            return entries.some(
              ({ action, after: text }) => action === 'audit.gap' && /begins anew/.test(text ?? ''),
            );
          },
          { what: 'the audit log to say that it begins anew' },
        );
    }
    const { total } = await getBroker()
      .inspect.snapshot(['orders'])
      .then(([one]) => ({ total: one?.ledger.difference }));
    expect(total).toBe(0);
  } finally {
    stopped = true;
    await filling;
    await worker.stop();
    producer.close();
  }
}, 60_000);
