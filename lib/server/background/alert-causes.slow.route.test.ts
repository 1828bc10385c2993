/** What is no trouble of one queue, from its real cause to a receiver: the cause is in Redis, and the message is what the channel gets. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSchedule } from '@/lib/broker/schedules';
import type { WebhookMessage } from '@/lib/contract/alerts/webhook-message';
import { startAlertReceiver } from '@/testing/alerts/alert-receiver';
import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';
import { runToEnd, startOperation } from '@/testing/worlds/operation-runs';
import { BY, failure, jobs, killAll } from '@/testing/worlds/world';
import { FINDING_CODES } from '../live/verdict/finding-codes';

const PATIENCE_MS = 60_000;
const MINUTE_MS = 60_000;
const world = await setUpConsole();
const receiver = await startAlertReceiver();
const watch = async () => (await import('./alert-watch')).getAlertWatch();
let admin: Redis;

/** Due since two minutes at least, and no console has enqueued its runs. */
const missSchedule = () =>
  createSchedule(
    world.brokerAt(() => Date.now() - 3 * MINUTE_MS),
    { id: 'nightly', queue: 'reports', timing: { everyMs: MINUTE_MS }, job: { jobType: 'demo' } },
    BY,
  );

/** Its first job dies again. */
async function stopOperation(): Promise<string> {
  await killAll(world.broker, 'orders', jobs(5), failure('HTTP_503'));
  const control = {
    rate: { perSecond: 1, keepReadyBelow: null },
    stop: { maxDiedAgain: 0.2, windowMs: MINUTE_MS, minEnded: 1 },
  };
  const { id } = await startOperation(world.broker, { kind: 'redrive', q: 'queue:orders' }, { control });
  const onStep = () => killAll(world.broker, 'orders', [], failure('HTTP_503'));
  expect((await runToEnd(world.broker, id, { onStep })).paused?.by).toBe('died-again');
  return id;
}

/** A folder where its file should be: as good as a full disk. */
async function failSnapshot(): Promise<void> {
  await mkdir(join(world.redis.dir, 'dump.rdb'));
  await admin.bgsave();
  const failed = async () => /rdb_last_bgsave_status:err/.test(await admin.info('persistence'));
  await until(failed, { what: 'the snapshot to fail', timeoutMs: PATIENCE_MS });
}

async function fillMemory(): Promise<void> {
  await admin.set('filler', Buffer.alloc(32 * 1024 * 1024));
  await admin.config('SET', 'maxmemory', '16mb');
  await expect(world.broker.enqueueMany('orders', jobs(1, 100))).rejects.toMatchObject({
    code: 'REDIS_FULL',
  });
}

let operation: string;
beforeAll(async () => {
  admin = world.redis.connect();
  process.env.REDRIVE_ALERTS = JSON.stringify({
    channels: [{ name: 'night', kind: 'webhook', url: receiver.url, secret: 'a secret of 16 characters' }],
    rules: Object.fromEntries(FINDING_CODES.map((code) => [code, { forSeconds: 0 }])),
    resolveAfterSeconds: 5,
    allowedHosts: [receiver.host],
  });
  await world.broker.dataset.look();
  await missSchedule();
  operation = await stopOperation();
  await failSnapshot();
  // The last one: from here on Redis refuses new data, and alerts are told all the same.
  await fillMemory();
  (await watch()).start();
});
afterAll(async () => {
  (await watch()).stop();
  delete process.env.REDRIVE_ALERTS;
  await receiver.stop();
});

const told = () => receiver.received.map(({ body }) => JSON.parse(body) as WebhookMessage);
const firedOf = (code: string, sentence: RegExp) =>
  until(
    () =>
      told().find(
        ({ event, alert }) => event === 'fired' && alert.code === code && sentence.test(alert.sentence),
      ),
    { what: `the receiver to be told ${code} ${sentence}`, timeoutMs: PATIENCE_MS },
  );

test.each([
  [
    'MISSED',
    'bad',
    /^The run of schedule nightly was due \d+ m .*ago and was not enqueued\.$/,
    /\/schedules$/,
  ],
  ['OPERATION', 'bad', /: Stopped automatically · 1 of 1 died again\.$/, /\/operations\/(.+)$/],
  [
    'NEW_FAILURE',
    'warn',
    /^5 jobs died of a new failure in the last hour: demo HTTP_503 /,
    /\/dead\?q=group/,
  ],
  ['PERSISTENCE', 'bad', /^Redis cannot save its data \(snapshot: /, /\/redis$/],
  ['MEMORY', 'bad', /^Redis uses [\d.]+ MiB of 16 MiB \([\d.]+%\) of memory\. /, /\/redis$/],
])('%s is told, though memory is full', async (code, level, sentence, link) => {
  const message = await firedOf(code, sentence);
  expect(message.alert.level).toBe(level);
  expect(message.link).toMatch(link);
  if (code === 'OPERATION') expect(message.link).toContain(operation);
});

test('REDIS is told when Redis takes no writes at all, because it cannot save', async () => {
  await admin.config('SET', 'save', '3600 1');
  const { alert } = await firedOf('REDIS', /\(MISCONF\): it cannot save its data/);
  expect(alert.level).toBe('bad');
  // Which Redis it is: in messages, not in the record that users read.
  expect(alert.sentence).toMatch(new RegExp(`^Redis \\(${world.redis.path}\\) refused the call`));
  const { getRedisAlert } = await import('../alerts/memory/own-redis-alert');
  expect(getRedisAlert().alert()?.sentence).toMatch(/^Redis refused the call/);
  await admin.config('SET', 'save', '');
});

test('DATA_LOST is told when Redis is emptied', async () => {
  await admin.flushall();
  const message = await firedOf('DATA_LOST', /^This Redis lost its data at .+: it was emptied/);
  expect(message).toMatchObject({ alert: { level: 'bad' }, link: expect.stringMatching(/\/redis$/) });
});
