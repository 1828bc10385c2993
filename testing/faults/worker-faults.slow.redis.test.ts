/** Bugs that other queues had, by the number they have in our list: each is provoked here for real, and must not happen. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openLab } from '@/lib/lab/open-lab';
import { until } from '../poll';
import { Processes } from '../worlds/processes';
import { setUpProgram } from '../worlds/set-up-program';
import { setUpWorkshop } from '../worlds/workers';
import { BY } from '../worlds/world';

const PROCESS = await setUpProgram(new URL('../../lib/worker/fixture-worker.ts', import.meta.url));
const processes = new Processes();
const folder = mkdtempSync(join(tmpdir(), 'redrive-bugs-'));
const shop = await setUpWorkshop();
afterEach(async () => {
  const { difference, strayRows } = await shop.broker.inspect.ledger(shop.queue);
  await shop.next();
  expect({ difference, strayRows }).toEqual({ difference: 0, strayRows: 0 });
});
afterAll(async () => {
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
});

/** A worker process on the queue of this test. */
const start = (what: string, leaseMs: number, file = '') =>
  processes.node([PROCESS, shop.redis.url, shop.queue, what, String(leaseMs), file], {
    name: `a worker that will ${what}`,
  });
const idOf = async (child: ReturnType<typeof start>) => (await child.prints(/up (\S+)/, 20_000))[1] ?? '';
const noteIn = (file: string): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);

describe('B3: an event loop that stands still for longer than the lease', () => {
  it('costs the job its lease; the other worker runs it, and the late ack is stale and changes nothing', async () => {
    const leaseMs = 300;
    const file = join(folder, 'b3');
    const other = start('finish', 5_000, file);
    const otherId = await idOf(other);
    // It is up, and must not take the job before the one that is to lose it.
    other.kill('SIGSTOP');
    const jobId = await shop.enqueue();
    const standStill = new Int32Array(new SharedArrayBuffer(4));
    const { saw, worker, count } = shop.work(
      () => {
        other.kill('SIGCONT');
        const startedAtMs = performance.now();
        // Nothing of this process runs: no heartbeat, no timer. Only the other can move.
        while (performance.now() - startedAtMs < 2 * leaseMs || noteIn(file) === 0) {
          if (performance.now() - startedAtMs > 20_000) throw new Error('the other worker never ran the job');
          Atomics.wait(standStill, 0, 0, 5);
        }
        return 'of the one that stood still';
      },
      { leaseMs, concurrency: 1 },
    );
    await saw('stale');
    const job = await shop.detail(jobId);
    expect(job).toMatchObject({ state: 'completed', deliveries: 2, attempt: 2, leaseLosses: 1 });
    expect(job.result).toMatchObject({ worker: otherId, result: '"finished by the process"' });
    expect(job.history.map(({ kind, worker: who }) => [kind, who])).toEqual([['lost', worker.workerId]]);
    expect(count('completed')).toBe(0);
    const [reading] = await shop.broker.inspect.snapshot([shop.queue]);
    expect(reading?.totals).toMatchObject({ claimed: 2, completed: 1, reclaimed: 1, failed: 0 });
  });
});

describe('B21: a job that takes several times its lease', () => {
  it('is run once: heartbeats hold it against a worker that waits for it', async () => {
    // Long enough that no stall of the machine takes it from a worker that lives.
    const leaseMs = 4_000;
    let runs = 0;
    const run = () => {
      runs += 1;
      return new Promise((resolve) => setTimeout(() => resolve('once'), 2.5 * leaseMs));
    };
    const workers = [
      shop.work(run, { leaseMs, concurrency: 1 }),
      shop.work(run, { leaseMs, concurrency: 1 }),
    ];
    const job = await shop.becomes(await shop.enqueue(), 'completed');
    expect(runs).toBe(1);
    expect(job).toMatchObject({ deliveries: 1, leaseLosses: 0, history: [] });
    expect(workers.reduce((sum, { count }) => sum + count('lease-lost') + count('stale'), 0)).toBe(0);
  });
});

describe('B34: SIGTERM while a handler ignores its signal', () => {
  it('gives the job to nobody before that process has exited', async () => {
    const file = join(folder, 'b34');
    const child = start('stubborn', 60_000, file);
    await idOf(child);
    const jobId = await shop.enqueue();
    await child.prints(/started/);
    await until(() => noteIn(file) > 0, { what: 'the handler to run' });
    let secondStartedAt = 0;
    shop.work(() => {
      secondStartedAt ||= Date.now();
    });
    child.kill('SIGTERM');
    const { code } = await child.exited;
    const lastRanAt = noteIn(file);
    expect(code).toBe(0);
    expect(secondStartedAt).toBe(0);
    // Given back, not lost: no attempt is burnt, and it need not wait for the lease of a minute.
    const job = await shop.becomes(jobId, 'completed');
    expect(secondStartedAt).toBeGreaterThan(lastRanAt);
    expect(job).toMatchObject({ attempt: 1, deliveries: 2, leaseLosses: 0 });
    expect(job.history.map(({ kind }) => kind)).toEqual(['released']);
  });

  it('killed instead of drained: nobody before its lease is over', async () => {
    const file = join(folder, 'b34-killed');
    const child = start('stubborn', 1_500, file);
    await idOf(child);
    const jobId = await shop.enqueue();
    await child.prints(/started/);
    const { claim } = await shop.detail(jobId);
    const { events } = shop.work(() => 'by the next');
    child.kill('SIGKILL');
    const job = await shop.becomes(jobId, 'completed');
    // The heartbeat may have extended it meanwhile; it was never handed out earlier.
    expect(job.result?.claimedAt).toBeGreaterThanOrEqual(claim?.leaseUntil ?? Number.POSITIVE_INFINITY);
    expect(events.filter(({ type }) => type === 'claimed')).toHaveLength(1);
    expect(job.history.map(({ kind }) => kind)).toEqual(['lost']);
  });
});

describe('B37: a job that kills its worker as soon as it starts', () => {
  it('is dead as a crash after exactly that many deliveries; history says who and when, and the event is there', async () => {
    const deliveries = 3;
    await shop.broker.config.change(shop.queue, { maxDeliveries: deliveries, reason: 'a test' }, BY);
    const jobId = await shop.enqueue({ maxAttempts: 50 });
    const startedAt = await shop.broker.now();
    const crashed: string[] = [];
    for (let i = 0; i < 10 && (await shop.detail(jobId)).state !== 'dead'; i++) {
      const child = start('crash', 300);
      crashed.push(await idOf(child));
      expect((await child.exited).signal).toBe('SIGKILL');
      await until(
        async () => {
          await shop.broker.maintain(shop.queue);
          return (await shop.detail(jobId)).state !== 'in-flight';
        },
        { what: 'the lease to run out' },
      );
    }
    const job = await shop.detail(jobId);
    expect(crashed).toHaveLength(deliveries);
    expect(job).toMatchObject({ state: 'dead', deliveries, leaseLosses: deliveries });
    expect(job.history.map(({ kind, worker, errorClass }) => [kind, worker, errorClass])).toEqual([
      ...crashed.map((worker) => ['lost', worker, 'crash']),
      ['dead', crashed.at(-1), 'crash'],
    ]);
    const times = job.history.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThan(startedAt);
    for (const { claimedAt, at } of job.history) expect(at - (claimedAt ?? 0)).toBeGreaterThanOrEqual(300);
    const { jobs: dead } = await shop.broker.inspect.search({
      state: 'dead',
      q: 'class:crash',
      queue: shop.queue,
    });
    expect(dead.map((one) => one.jobId)).toEqual([jobId]);
    const lab = openLab({ url: shop.redis.path });
    const events = await lab.movements(shop.queue, '', 500);
    lab.close();
    const died = events.filter(({ event, jobIds }) => event === 'dead' && jobIds.includes(jobId));
    expect(died).toHaveLength(1);
    expect(died[0]).toMatchObject({ count: 1 });
    // It stays dead: nothing brings it back by itself.
    await shop.broker.maintain(shop.queue);
    expect((await shop.broker.claim(shop.queue, { worker: 'w' })).jobs).toEqual([]);
  });
});
