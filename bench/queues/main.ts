/** `npm run bench:queues`: what a console and its Redis spend on 10,000 queues in which nothing happens, and when expired leases come back. */
import { parseArgs } from 'node:util';
import type { Redis } from 'ioredis';
import { type Broker, createBroker } from '@/lib/broker';
import { createKeys } from '@/lib/broker/keys';
import { until } from '../../testing/poll';
import { Processes } from '../../testing/processes';
import { startRealConsole } from '../../testing/real-console';
import { buildConsole } from '../harness/build';
import { machine, processUs, versions } from '../harness/machine';
import { writeReport } from '../harness/report';
import { type BenchServer, startServer } from '../harness/server';
import { IDLE_SHARE_BAR, type QueuesReport, queuesMarkdown, RECLAIM_BAR_MS } from './report';

const HELP = `npm run bench:queues [-- options]

  --queues N     queues, each with one job that falls due in a day (default 10000)
  --leases N     of them get a lease that expires (default 500)
  --seconds N    how long the idle console is measured (default 60)
  --quick        500 queues and 5 seconds: shows that it works; nothing is written
  --commands     prints the commands inside Redis while it was idle, the dearest first
  --out FILE     writes FILE.json and FILE.md (default bench/results/queues)`;

/** A new process compiles what it runs, and reads on for a while after somebody asked it. Neither is what idling costs. */
const WARM_UP_MS = 25_000;
const DAY_MS = 24 * 3_600_000;
const AT_ONCE = 50;
/** Leases end at all moments of a turn of maintenance. */
const LEASES_FROM_MS = 4_000;
const LEASES_SPREAD_MS = 5_000;
const LOOK_EVERY_MS = 25;

const keys = createKeys('rd');
const nameOf = (i: number) => `q${String(i).padStart(5, '0')}`;

export async function main(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      queues: { type: 'string' },
      leases: { type: 'string' },
      seconds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      commands: { type: 'boolean', default: false },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const { quick, commands } = values;
  const queues = wholeNumber('--queues', values.queues ?? (quick ? '500' : '10000'));
  const leases = Math.min(queues, wholeNumber('--leases', values.leases ?? '500'));
  const seconds = wholeNumber('--seconds', values.seconds ?? (quick ? '5' : '60'));
  await buildConsole();
  const server = await startServer();
  const processes = new Processes();
  const broker = createBroker({ url: server.path });
  try {
    await inLanesOf(AT_ONCE, queues, (i) =>
      broker.enqueue(nameOf(i), { jobId: 'later', jobType: 'demo', delayMs: DAY_MS }),
    );
    const { process: child } = await startRealConsole(processes, {
      redisUrl: server.path,
      env: { LOG_LEVEL: 'warn' },
    });
    const idle = await measureIdle(server, child.pid, seconds * 1_000);
    if (commands) console.log(await commandsOf(server.redis));
    const lateMs = await measureReclaims(broker, server.redis, queues, leases);
    await processes.stopAll(5_000);
    const report: QueuesReport = {
      machine: machine(),
      versions: versions(),
      at: new Date().toISOString(),
      queues,
      leases,
      seconds,
      ...idle,
      lateMs,
      met: Math.max(idle.console, idle.redis) <= IDLE_SHARE_BAR && lateMs.worst <= RECLAIM_BAR_MS,
    };
    const text = queuesMarkdown(report);
    console.log(`\n${text}`);
    const out = values.out ?? (quick ? null : 'bench/results/queues');
    if (out !== null) writeReport(out, report, text);
    return report.met ? 0 : 1;
  } finally {
    broker.close();
    await processes.stopAll();
    await server.stop();
  }
}

/** Nobody watches and no worker runs: shares of a core. */
async function measureIdle(
  server: BenchServer,
  pid: number,
  forMs: number,
): Promise<{ console: number; redis: number }> {
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  await pause(WARM_UP_MS);
  await server.redis.config('RESETSTAT');
  const [redisUs, consoleUs, start] = [await server.cpuUs(), processUs(pid), performance.now()];
  await pause(forMs);
  const us = (performance.now() - start) * 1_000;
  return {
    console: (processUs(pid) - consoleUs) / us,
    redis: ((await server.cpuUs()) - redisUs) / us,
  };
}

/** How long after their end leases come back, in queues that lie evenly among all. */
async function measureReclaims(
  broker: Broker,
  redis: Redis,
  queues: number,
  leases: number,
): Promise<QueuesReport['lateMs']> {
  const names = Array.from({ length: leases }, (_, i) => nameOf(Math.floor((i * queues) / leases)));
  const ends = new Map<string, number>();
  await inLanesOf(AT_ONCE, leases, async (i) => {
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
      const held = [...ends];
      const pipeline = redis.pipeline();
      for (const [queue] of held) pipeline.exists(keys.column(queue, 'inflight'));
      const replies = (await pipeline.exec()) ?? [];
      const now = Date.now();
      held.forEach(([queue, end], i) => {
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

/** What Redis did in the measured time, the dearest first. */
async function commandsOf(redis: Redis): Promise<string> {
  const usOf = (line: string) => Number(/usec=(\d+)/.exec(line)?.[1] ?? 0);
  const lines = (await redis.info('commandstats'))
    .split('\r\n')
    .filter((line) => line.startsWith('cmdstat_'));
  return lines.sort((a, b) => usOf(b) - usOf(a)).join('\n');
}

async function inLanesOf(lanes: number, count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 100_000)
    throw new Error(`${option} takes whole numbers from 1 to 100,000, not ${text}.`);
  return value;
}
