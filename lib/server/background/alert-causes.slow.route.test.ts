/** Alerts from their real cause to a receiver: the cause is in Redis, and the message is what the channel gets. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeys } from '@/lib/broker/redis/redis-keys';
import { createSchedule } from '@/lib/broker/schedules';
import { FINDING_CODES } from '@/lib/contract/alerts/finding-codes';
import type { WebhookMessage } from '@/lib/contract/alerts/webhook-message';
import { startAlertReceiver } from '@/testing/alerts/alert-receiver';
import { until } from '@/testing/poll';
import { IDLE_REPORT } from '@/testing/records/idle-worker';
import { setUpConsole } from '@/testing/worlds/console-server';
import { runToEnd, startOperation } from '@/testing/worlds/operation-runs';
import { BY, failure, jobs, killAll } from '@/testing/worlds/world';

const PATIENCE_MS = 60_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
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

/** Each kind in a queue of its own. */
async function troubleQueues(): Promise<void> {
  const { broker } = world;
  const fill = (queue: string, count: number) => broker.enqueueMany(queue, jobs(count));
  const column = createKeys('rd').column;
  await fill('off', 2);
  await admin.zrem(column('off', 'ready'), 'j000000');
  await broker.sharding.set('sharded', { count: 2, by: 'id' }, BY);
  await fill('sharded', 20);
  await fill('spoiled', 1);
  for (const name of ['spoiled', 'sharded#1']) {
    expect(await admin.del(column(name, 'ready'))).toBe(1);
    await admin.set(column(name, 'ready'), 'somebody wrote here');
  }
  await killAll(broker, 'failing', jobs(12), failure('HTTP_503'));
  await broker.config.change('failing', { deadKeepMs: HOUR_MS }, BY);
  const earlier = world.brokerAt(() => Date.now() - 2 * HOUR_MS);
  await earlier.enqueueMany('leased', jobs(1));
  await earlier.claim('leased', { worker: 'w-1', leaseMs: 1_000 });
  await earlier.enqueueMany('old', jobs(1));
  await broker.config.change('deep', { objectiveDepth: 1 }, BY);
  await fill('deep', 3);
  await broker.config.change('full', { depthLimit: 2 }, BY);
  await fill('full', 2);
  await broker.config.change('filling', { depthLimit: 10 }, BY);
  await fill('filling', 9);
  await fill('drained', 1);
  await broker.drain('drained', { draining: true, reason: BY.reason }, BY);
  await fill('stopped', 1);
  await broker.pause('stopped', { reason: BY.reason }, BY);
}

async function troubleWorkers(): Promise<void> {
  // Its reports end here, and it must not be taken for lost.
  const { workers } = world.brokerAt(() => Date.now() + MINUTE_MS);
  const breaker = { jobType: 'mail.send', state: 'open', failures: 5, retryAt: 0 } as const;
  const unknown = { queue: 'old', jobType: 'mail.send', jobVersion: 7, missing: 'unknown-version' } as const;
  const unknownJobs = [{ ...unknown, runs: 2, lastAt: Date.now() }];
  await workers.report({ ...IDLE_REPORT, queues: { old: 1, deep: 1 }, breakers: [breaker], unknownJobs });
  await world.broker.workers.report({ ...IDLE_REPORT, workerId: 'w-gone' });
  const end = { at: Date.now(), cause: 'SIGKILL', reclaimed: 0 };
  await world.broker.workers.ended('w-gone', 'crashed', end);
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
  await troubleQueues();
  await failSnapshot();
  await troubleWorkers();
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

const CAUSES: [code: string, level: 'bad' | 'warn', sentence: RegExp, link: RegExp][] = [
  ['MISSED', 'bad', /^The run of schedule nightly was due \d+ m .*ago /, /\/schedules$/],
  ['OPERATION', 'bad', /: Stopped automatically · 1 of 1 died again\.$/, /\/operations\/(.+)$/],
  [
    'UNKNOWN_JOB',
    'warn',
    /^No worker of old knew version 7 of the job type mail\.send: 2 runs failed, /,
    /\/dead\?q=queue%3Aold/,
  ],
  ['NEW_FAILURE', 'warn', /^17 jobs died of a new failure in the last hour: /, /\/dead\?q=group/],
  ['PERSISTENCE', 'bad', /^Redis cannot save its data \(snapshot: /, /\/redis$/],
  ['MEMORY', 'bad', /^Redis uses [\d.]+ MiB of 16 MiB \([\d.]+%\) of memory\. /, /\/redis$/],
  ['LEDGER', 'bad', /^The ledger of off is off by -?1: /, /\/queues\/off$/],
  ['UNREADABLE', 'bad', /^spoiled cannot be read: /, /\/queues\/spoiled$/],
  ['WORKERS_GONE', 'bad', /^1 worker crash in 1 min \(SIGKILL, 1 of 2 workers\)/, /\/workers$/],
  ['BREAKER', 'warn', /^The circuit breaker of mail\.send is open on 1 worker: /, /\/workers$/],
  ['FAILING', 'bad', /^100% of runs in failing fail /, /\/dead\?q=queue%3Afailing/],
  ['NO_WORKERS', 'bad', /^\d queues have no worker, \d+ jobs waiting: /, /\/\?sort=ready#queues$/],
  ['OVERDUE', 'warn', /^A lease in leased expired \d.* ago /, /\/queues\/leased\?state=in-flight$/],
  ['OLD', 'bad', /^The oldest ready job in old has waited 2 h/, /\/queues\/old\?state=ready$/],
  ['DEEP', 'bad', /^3 jobs wait in deep /, /\/queues\/deep\?state=ready$/],
  ['FULL', 'bad', /^full is full: 2 of at most 2 jobs wait/, /\/queues\/full\?state=ready$/],
  ['NEARLY_FULL', 'warn', /^filling is 90% full: /, /\/queues\/filling\?state=ready$/],
  ['EXPIRING', 'warn', /^Retention deletes the oldest of 12 dead jobs /, /\/dead\?q=queue%3Afailing$/],
  ['DRAINING', 'warn', /^drained is draining: /, /\/queues\/drained$/],
  ['PAUSED', 'warn', /^stopped is paused by tester: a test$/, /\/queues\/stopped$/],
  ['SHARDS', 'bad', /^Shard 1 of sharded cannot be read: /, /\/queues\/sharded$/],
];
test.each(CAUSES)('%s is told, though memory is full', async (code, level, sentence, link) => {
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

test('these are all kinds of alerts', () => {
  const codes = [...CAUSES.map(([code]) => code), 'REDIS', 'DATA_LOST'];
  expect(codes.sort()).toEqual([...FINDING_CODES].sort());
});
