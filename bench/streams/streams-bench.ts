/** `npm run bench:streams`: what 500 open tabs over 200 queues cost a console, and whether each is updated every second. */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { QUOTAS } from '@/lib/contract/access/quotas';
import { paths } from '@/lib/contract/api-paths';
import { createBroker } from '@/testing/create-broker';
import { Processes } from '@/testing/worlds/processes';
import { type RealConsole, startRealConsole, type TestUser } from '@/testing/worlds/real-console';
import type { Bench } from '../harness/bench-command';
import { type BenchServer, startServer } from '../harness/bench-server';
import { buildConsole } from '../harness/bundle';
import { processRssBytes, processUs, stamp } from '../harness/machine';
import { quantile } from '../harness/statistics';
import { allMet, type MeasuredGet, type Phase, type StreamsReport, streamsMarkdown } from './streams-report';
import { openViewers, type Viewers } from './viewers';

const REQUESTS = 1_000;
const REQUEST_MS = 20_000;
/** A new process compiles its code; that is no cost of streams. */
const WARM_UP_MS = 5_000;
const LOOK_EVERY_MS = 250;
const queueName = (i: number) => `tenant-mail-${String(i).padStart(4, '0')}`;

export const bench: Bench<'queues' | 'streams' | 'seconds'> = {
  help: `npm run bench:streams [-- options]

  --queues N     queues (default 200)
  --streams N    open event streams (default 500)
  --seconds N    how long each of the two phases takes (default 60); 900 for half an hour of watching the console's memory
  --quick        20 streams and 5 seconds: shows that it works; nothing is written
  --out FILE     writes FILE.json and FILE.md (default bench/results/console/streams)`,
  out: 'bench/results/console/streams',
  numbers: {
    queues: { default: 200, max: 10_000 },
    streams: { default: 500, quick: 20, max: QUOTAS.streams.total },
    seconds: { default: 60, quick: 5, max: 100_000 },
  },
  async run({ numbers: { queues, streams, seconds } }, say) {
    await buildConsole();
    const server = await startServer();
    const processes = new Processes();
    const broker = createBroker({ url: server.path });
    let viewers: Viewers | null = null;
    try {
      const enqueueAll = () =>
        Promise.all(
          Array.from({ length: queues }, (_, i) => broker.enqueue(queueName(i), { jobType: 'demo' })),
        );
      await enqueueAll();
      const users = usersFor(streams);
      const own = await startRealConsole(processes, {
        redisUrl: server.path,
        users,
        env: { LOG_LEVEL: 'warn', REDRIVE_RATE_FACTOR: '1000' },
      });
      const cookies: string[] = [];
      for (const user of users) {
        const { cookie } = await own.signIn(user);
        for (let i = 0; i < QUOTAS.streams.perUser && cookies.length < streams; i += 1) cookies.push(cookie);
      }
      const overview = await measureGet(own, paths.queues(), cookies[0] ?? '');
      // A route that does nothing: what is below it is not ours.
      const floor = await measureGet(own, '/healthz', cookies[0] ?? '');
      await sleep(WARM_UP_MS);
      const before = processRssBytes(own.process.pid);
      viewers = openViewers(own.port, cookies);
      await viewers.ready();
      say(`${streams} streams are open.`);
      const idle = await measurePhase(server, own, viewers, before, seconds);
      // The next second begins when all are in: what cannot keep up says so in its silence.
      let isOver = false;
      const load = (async () => {
        while (!isOver) await Promise.all([enqueueAll(), sleep(1_000)]);
      })();
      const busy = await measurePhase(server, own, viewers, before, seconds).finally(() => {
        isOver = true;
      });
      await load;
      const parts = { queues, streams, seconds, overview, floor, idle, busy };
      const report: StreamsReport = { ...stamp(), ...parts, met: allMet(parts) };
      return { report, text: streamsMarkdown(report), ok: report.met };
    } finally {
      viewers?.close();
      broker.close();
      await processes.stopAll();
      await server.stop();
    }
  },
};

/** As many as may hold the streams together. */
const usersFor = (streams: number): TestUser[] =>
  Array.from({ length: Math.ceil(streams / QUOTAS.streams.perUser) }, (_, i) => ({
    name: `viewer-${i}`,
    password: 'a long enough password for the bench',
    grants: [{ role: 'viewer' }],
  }));

/** One request after another over one connection, as a browser holds it; uncompressed. */
async function measureGet(own: RealConsole, path: string, cookie: string): Promise<MeasuredGet> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const once = () =>
    new Promise<number>((resolve, reject) => {
      const url = `${own.url}${path}`;
      const sent = get(url, { agent, headers: { cookie }, timeout: REQUEST_MS }, (response) => {
        let bytes = 0;
        response.on('data', (part: Buffer) => {
          bytes += part.length;
        });
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(bytes)
            : reject(new Error(`GET ${path} was answered ${response.statusCode}.`)),
        );
        response.on('error', reject);
      });
      sent.on('timeout', () => sent.destroy(new Error(`GET ${path} took over ${REQUEST_MS} ms.`)));
      sent.on('error', reject);
    });
  const times: number[] = [];
  let bytes = 0;
  try {
    for (let i = 0; i < REQUESTS; i += 1) bytes = await once();
    const us = processUs(own.process.pid);
    for (let i = 0; i < REQUESTS; i += 1) {
      const start = performance.now();
      bytes = await once();
      times.push(performance.now() - start);
    }
    const cpuUs = (processUs(own.process.pid) - us) / REQUESTS;
    return { bytes, cpuUs, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
  } finally {
    agent.destroy();
  }
}

async function measurePhase(
  server: BenchServer,
  { process: { pid } }: RealConsole,
  viewers: Viewers,
  before: number,
  seconds: number,
): Promise<Phase> {
  const start = performance.now();
  const [us, redisUs] = [processUs(pid), await server.cpuUs()];
  viewers.reset();
  let peak = 0;
  while (performance.now() - start < seconds * 1_000) {
    peak = Math.max(peak, processRssBytes(pid));
    await sleep(LOOK_EVERY_MS);
  }
  const viewed = viewers.read();
  const tookUs = (performance.now() - start) * 1_000;
  return {
    viewed,
    cores: (processUs(pid) - us) / tookUs,
    redisCores: ((await server.cpuUs()) - redisUs) / tookUs,
    grownBytes: { peak: peak - before, end: processRssBytes(pid) - before },
  };
}
