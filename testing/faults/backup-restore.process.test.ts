/** docs/operate/backup.md: Redis is copied while workers run, lost, and started again with the copy. */
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterEach, expect, test } from 'vitest';
import { paths } from '@/lib/contract/api-paths';
import { auditPageSchema } from '@/lib/contract/audit/audit-schemas';
import { overviewSchema } from '@/lib/contract/queues/queue-schemas';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '../poll';
import { Processes, requireBuild } from '../worlds/processes';
import { type RealConsole, startRealConsole } from '../worlds/real-console';
import { startRedisOnPort, type TestRedis } from '../worlds/redis-server';
import { setUpProgram } from '../worlds/set-up-program';
import { BY } from '../worlds/world';

requireBuild();
const WORKER = await setUpProgram(new URL('../../lib/worker/fixture-worker.ts', import.meta.url));
const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

interface Backup {
  /** Of the server, before there are jobs. */
  prepare(admin: Redis): Promise<unknown>;
  /** Files of the data folder that are the data. */
  readonly files: readonly string[];
  copy(admin: Redis, from: string, to: string): Promise<void>;
}
const infoOf = async (admin: Redis, field: string) =>
  (await admin.info('persistence')).match(new RegExp(`^${field}:(.*?)\r?$`, 'm'))?.[1];
const copyFiles = (files: readonly string[], from: string, to: string) => {
  for (const file of files)
    if (existsSync(join(from, file))) cpSync(join(from, file), join(to, file), { recursive: true });
};

const SNAPSHOT: Backup = {
  prepare: (admin) => admin.config('SET', 'appendonly', 'yes'),
  files: ['dump.rdb'],
  async copy(admin, from, to) {
    await admin.bgsave();
    await until(async () => (await infoOf(admin, 'rdb_bgsave_in_progress')) === '0', {
      what: 'the snapshot',
    });
    expect(await infoOf(admin, 'rdb_last_bgsave_status')).toBe('ok');
    copyFiles(this.files, from, to);
  },
};
const LOG: Backup = {
  prepare: (admin) => admin.config('SET', 'appendfsync', 'everysec'),
  files: ['appendonlydir'],
  async copy(admin, from, to) {
    const before = String((await admin.config('GET', 'auto-aof-rewrite-percentage'))[1]);
    await admin.config('SET', 'auto-aof-rewrite-percentage', '0');
    await until(async () => (await infoOf(admin, 'aof_rewrite_in_progress')) === '0', { what: 'no rewrite' });
    copyFiles(this.files, from, to);
    await admin.config('SET', 'auto-aof-rewrite-percentage', before);
  },
};

/** Of jobs that are enqueued as fast as possible, a quick machine has more than the queue keeps by the time of the backup. */
const BATCH_EVERY_MS = 20;

/** Enqueues all the time until it is stopped; ids that Redis has acknowledged, oldest first. */
function produce(broker: Broker): { acked: string[]; stop(): Promise<void> } {
  const acked: string[] = [];
  let stopped = false;
  const running = (async () => {
    for (let n = 0; !stopped; n++) {
      const batch = Array.from({ length: 10 }, (_, i) => ({
        jobId: `mail-${n}-${i}`,
        jobType: 'demo.run',
        payload: '{}',
      }));
      const results = await broker.enqueueMany('mail', batch).catch(() => []);
      acked.push(...results.map(({ jobId }) => jobId));
      await new Promise((resolve) => setTimeout(resolve, BATCH_EVERY_MS));
    }
  })();
  return {
    acked,
    stop() {
      stopped = true;
      return running;
    },
  };
}

const stateIn = async (broker: Broker, queue: string, jobId: string): Promise<string> =>
  broker.inspect.job(queue, jobId).then(
    ({ state }) => state,
    (error: { code?: string }) => error.code ?? 'unknown',
  );
const becomes = (broker: Broker, queue: string, jobId: string, state: string) =>
  until(async () => (await stateIn(broker, queue, jobId)) === state, {
    what: `${jobId} to be ${state}`,
    timeoutMs: 60_000,
  });
const timesIn = (text: string, words: string) => text.split(words).length - 1;

/** Entries of the audit log, newest first, as the console answers. */
const auditIn = async ({ ask }: RealConsole, action: string) =>
  auditPageSchema.parse((await ask(`${paths.audit()}?action=${action}`)).json()).events;
const overviewIn = async ({ ask }: RealConsole) => overviewSchema.parse((await ask(paths.queues())).json());

async function lose(redis: TestRedis, backup: Backup, kept: string): Promise<void> {
  await redis.kill();
  for (const file of ['dump.rdb', 'appendonlydir'])
    rmSync(join(redis.dir, file), { recursive: true, force: true });
  copyFiles(backup.files, kept, redis.dir);
  await redis.restart();
}

test.each([
  ['a snapshot (RDB)', SNAPSHOT, ['--appendonly', 'no']],
  ['a copy of the append-only file', LOG, ['--appendonly', 'yes']],
])('%s brings back what was acknowledged before it, and the loss is noticed', async (_, backup, args) => {
  const processes = new Processes();
  ending.push(() => processes.stopAll());
  const redis = await startRedisOnPort(args);
  ending.push(() => redis.stop());
  const copies = await startRedisOnPort();
  ending.push(() => copies.stop());
  const kept = copies.dir;
  const broker = createBroker({ url: redis.url });
  ending.push(() => broker.close());
  const admin = redis.connect();
  await backup.prepare(admin);
  const shown = await startRealConsole(processes, { redisUrl: redis.url });
  const start = (queue: string, what: string) =>
    processes.node([WORKER, redis.url, queue, what, '2000'], { name: `${what} in ${queue}` });

  await broker.config.change('mail', { completedKeep: 50_000 }, BY);
  const workers = [start('mail', 'finish'), start('mail', 'finish')];
  const holder = start('held', 'stubborn');
  await broker.enqueue('held', { jobId: 'in-flight', jobType: 'demo.run', payload: '{}' });
  await holder.prints(/started in-flight/);
  const later = start('later', 'finish');
  await later.prints(/up/);
  await broker.pause('later', { reason: 'until after the backup' }, BY);
  await broker.enqueue('later', { jobId: 'twice', jobType: 'demo.run', payload: '{}' });
  const producer = produce(broker);
  await until(() => producer.acked.length >= 500, { what: '500 jobs', timeoutMs: 60_000 });
  await becomes(broker, 'mail', producer.acked[0] ?? '', 'completed');

  const collected = (action: string) =>
    until(async () => (await auditIn(shown, action))[0], { what: `${action} in the audit log` });
  await collected('queue.pause');
  const before = [...producer.acked];
  await backup.copy(admin, redis.dir, kept);
  // What happens from here on is lost.
  await broker.resume('later', 'queue', BY);
  await becomes(broker, 'later', 'twice', 'completed');
  const { n: lostEntry } = await collected('queue.resume');
  await producer.stop();
  const lost = await broker.enqueue('mail', { jobType: 'demo.run', payload: '{}' });
  await becomes(broker, 'mail', lost.jobId, 'completed');
  holder.kill('SIGKILL');
  await lose(redis, backup, kept);
  // Says to all processes that these are other data than they had.
  await until(async () => (await redis.connect().del('rd:{.dataset}:id')) === 1, {
    what: 'Redis to be back',
  });

  // As a console does once a second.
  await until(
    async () => {
      await broker.dataset.look();
      return broker.dataset.state().loss;
    },
    { what: 'the loss to be noticed' },
  );
  expect(await stateIn(broker, 'mail', lost.jobId)).toBe('JOB_NOT_FOUND');
  // All that was acknowledged before the copy is there, and the same workers run what is left of it.
  for (const jobId of before) await becomes(broker, 'mail', jobId, 'completed');
  await until(
    async () => {
      const { counts } = (await broker.inspect.snapshot(['mail']))[0] ?? {};
      return counts && counts.ready + counts['in-flight'] === 0;
    },
    { what: 'the restored queue to be empty', timeoutMs: 60_000 },
  );
  // The console says so too, and shows what came back: the pause of the copy, and no job that came after it.
  const [gap] = await until(
    async () => {
      const gaps = await auditIn(shown, 'audit.gap');
      return gaps.length > 0 ? gaps : undefined;
    },
    { what: 'the gap in the audit log' },
  );
  expect(gap).toMatchObject({ actor: 'redrive', result: 'done', object: { kind: 'audit', id: 'log' } });
  expect(gap?.before).toMatch(/^\d+ [0-9a-f]{64}$/);
  expect(Number.parseInt(gap?.before ?? '', 10)).toBeGreaterThanOrEqual(lostEntry);
  expect(await auditIn(shown, 'queue.resume')).toEqual([]);
  expect((await broker.audit.check()).problems).toEqual([]);
  const restored = await until(
    async () => {
      const overview = await overviewIn(shown);
      return overview.verdict.findings.some(({ code }) => code === 'DATA_LOST') ? overview : undefined;
    },
    { what: 'the console to show the loss' },
  );
  expect(restored.sums.pauses.named).toMatchObject([{ queue: 'later', reason: 'until after the backup' }]);
  expect((await shown.ask('/')).text).toContain('This Redis lost its data');
  expect((await shown.ask(paths.job('mail', lost.jobId))).status).toBe(404);
  expect((await shown.ask(paths.job('later', 'twice'))).json()).toMatchObject({ state: 'ready' });
  // The pause is of the copy, and the job runs a second time.
  expect(await stateIn(broker, 'later', 'twice')).toBe('ready');
  await broker.resume('later', 'queue', BY);
  await becomes(broker, 'later', 'twice', 'completed');
  expect(timesIn(later.output(), 'started twice')).toBe(2);
  // A job in flight comes back when its lease is over.
  start('held', 'finish');
  await becomes(broker, 'held', 'in-flight', 'completed');
  expect(await broker.inspect.job('held', 'in-flight')).toMatchObject({ leaseLosses: 1 });
  for (const queue of ['mail', 'held', 'later'])
    expect(await broker.inspect.ledger(queue)).toMatchObject({ difference: 0, strayRows: 0 });
  expect(workers.every((worker) => worker.running())).toBe(true);
});

test('with appendonly yes, Redis does not read a snapshot: it starts empty', async () => {
  const redis = await startRedisOnPort(['--appendonly', 'no']);
  ending.push(() => redis.stop());
  const admin = redis.connect();
  await admin.set('a', '1');
  await admin.save();
  const other = await startRedisOnPort(['--appendonly', 'yes']);
  ending.push(() => other.stop());
  await other.kill();
  rmSync(join(other.dir, 'appendonlydir'), { recursive: true });
  copyFiles(['dump.rdb'], redis.dir, other.dir);
  await other.restart();
  expect(await other.connect().get('a')).toBeNull();
});
