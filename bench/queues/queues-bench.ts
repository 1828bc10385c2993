/** `npm run bench:queues`: what a console and its Redis spend on 10,000 queues in which nothing happens, and when expired leases come back. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import pLimit from 'p-limit';
import { createKeys } from '@/lib/broker/redis/redis-keys';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { Processes } from '@/testing/worlds/processes';
import { startRealConsole } from '@/testing/worlds/real-console';
import type { Bench } from '../harness/bench-command';
import { type BenchServer, startServer } from '../harness/bench-server';
import { buildConsole } from '../harness/bundle';
import { commandLines } from '../harness/cpu-profile';
import { processUs, stamp } from '../harness/machine';
import { IDLE_SHARE_BAR, type QueuesReport, queuesMarkdown, RECLAIM_BAR_MS } from './queues-report';

/** A new process compiles its code, and keeps reading for a while after a request. Neither is a cost of idling. */
const WARM_UP_MS = 25_000;
const DAY_MS = 24 * 3_600_000;
const AT_ONCE = 50;
/** Leases end at all moments of a turn of maintenance. */
const LEASES_FROM_MS = 4_000;
const LEASES_SPREAD_MS = 5_000;
const LOOK_EVERY_MS = 25;

const keys = createKeys('rd');
const nameOf = (i: number) => `q${String(i).padStart(5, '0')}`;

export const bench: Bench<'queues' | 'leases' | 'seconds'> = {
  help: `npm run bench:queues [-- options]

  --queues N     queues, each with one job that falls due in a day (default 10000)
  --leases N     of them get a lease that expires (default 500)
  --seconds N    how long the idle console is measured (default 60)
  --quick        500 queues and 5 seconds: shows that it works; nothing is written
  --commands     prints the commands of the idle Redis, the most expensive first
  --out FILE     writes FILE.json and FILE.md (default bench/results/queues)`,
  out: 'bench/results/queues',
  numbers: {
    queues: { default: 10_000, quick: 500, max: 100_000 },
    leases: { default: 500, max: 100_000 },
    seconds: { default: 60, quick: 5, max: 100_000 },
  },
  flags: ['commands'],
  async run({ numbers, flags }, say) {
    const { queues, seconds } = numbers;
    const leases = Math.min(queues, numbers.leases);
    await buildConsole();
    const server = await startServer();
    const processes = new Processes();
    const broker = createBroker({ url: server.path });
    try {
      await inParallel(queues, (i) =>
        broker.enqueue(nameOf(i), { jobId: 'later', jobType: 'demo', delayMs: DAY_MS }),
      );
      const { process: child } = await startRealConsole(processes, {
        redisUrl: server.path,
        env: { LOG_LEVEL: 'warn' },
      });
      const idle = await measureIdle(server, child.pid, seconds * 1_000);
      if (flags.has('commands')) say((await commandLines(server.redis)).join('\n'));
      const lateMs = await measureReclaims(broker, server.redis, queues, leases);
      await processes.stopAll(5_000);
      const met = Math.max(idle.console, idle.redis) <= IDLE_SHARE_BAR && lateMs.worst <= RECLAIM_BAR_MS;
      const report: QueuesReport = { ...stamp(), queues, leases, seconds, ...idle, lateMs, met };
      return { report, text: queuesMarkdown(report), ok: met };
    } finally {
      broker.close();
      await processes.stopAll();
      await server.stop();
    }
  },
};

/** Without a browser or a worker. Returns shares of a core. */
async function measureIdle(
  server: BenchServer,
  pid: number,
  forMs: number,
): Promise<{ console: number; redis: number }> {
  await sleep(WARM_UP_MS);
  await server.redis.config('RESETSTAT');
  const [redisUs, consoleUs, start] = [await server.cpuUs(), processUs(pid), performance.now()];
  await sleep(forMs);
  const us = (performance.now() - start) * 1_000;
  return {
    console: (processUs(pid) - consoleUs) / us,
    redis: ((await server.cpuUs()) - redisUs) / us,
  };
}

/** How long after their end leases come back, in queues spread evenly over all. */
async function measureReclaims(
  broker: Broker,
  redis: Redis,
  queues: number,
  leases: number,
): Promise<QueuesReport['lateMs']> {
  const names = Array.from({ length: leases }, (_, i) => nameOf(Math.floor((i * queues) / leases)));
  const ends = new Map<string, number>();
  await inParallel(leases, async (i) => {
    const queue = names[i] ?? '';
    await broker.enqueue(queue, { jobId: 'taken', jobType: 'demo', maxAttempts: 9 });
    const leaseMs = LEASES_FROM_MS + Math.round((LEASES_SPREAD_MS * i) / leases);
    const { jobs } = await broker.claim(queue, { worker: 'gone', count: 1, leaseMs });
    const [, end] = await redis.zrange(keys.column(queue, 'inflight'), '0', '0', 'WITHSCORES');
    if (jobs.length !== 1 || end === undefined) throw new Error(`The job of ${queue} was not claimed.`);
    ends.set(queue, Number(end));
  });
  const late: number[] = [];
  await until(
    async () => {
      const open = [...ends];
      const pipeline = redis.pipeline();
      for (const [queue] of open) pipeline.exists(keys.column(queue, 'inflight'));
      const replies = (await pipeline.exec()) ?? [];
      const now = Date.now();
      open.forEach(([queue, end], i) => {
        if (replies[i]?.[1] !== 0) return;
        ends.delete(queue);
        late.push(now - end);
      });
      return ends.size === 0;
    },
    { what: 'all leases to be taken back', timeoutMs: 60_000, everyMs: LOOK_EVERY_MS },
  );
  late.sort((a, b) => a - b);
  return { median: late[Math.floor(late.length / 2)] ?? 0, worst: late.at(-1) ?? 0 };
}

async function inParallel(count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  const limit = pLimit(AT_ONCE);
  await Promise.all(Array.from({ length: count }, (_, i) => limit(() => work(i))));
}
