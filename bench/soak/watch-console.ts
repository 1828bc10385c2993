/** The other half of a soak: the built console and a browser watch steady traffic, and neither may grow. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sleep, within } from '@/scripts/lib/deadline.mjs';
import { createBroker } from '@/testing/create-broker';
import { Processes } from '@/testing/worlds/processes';
import { startRealConsole } from '@/testing/worlds/real-console';
import { startRedis } from '@/testing/worlds/redis-server';
import { startProcess } from '../harness/bench-process';
import { buildConsole, bundle } from '../harness/bundle';
import { judgeGrowth, type Series } from './growth-verdict';
import type { Heap } from './heap-size';
import { QUEUE } from './soak-plan';
import { megabytes } from './soak-verdict';
import { startTraffic } from './watch-traffic';
import { openPages, type PageSize, type WatchedPage } from './watched-pages';

const MEGABYTE = 1_000_000;
const MINUTE_MS = 60_000;
const SAMPLES = 48;
const SAMPLE_MIN_MS = 2_000;
const SAY_EVERY = 6;
const READ_MS = 10_000;
const PATHS = ['/', `/queues/${QUEUE}`, '/dead'] as const;
const USER = {
  name: 'soak',
  password: 'a long enough password for the soak',
  grants: [{ role: 'admin' as const }],
};

/** How much more than in the second quarter there may be in the last. V8 gives pages of memory back late. */
const ALLOWED = {
  consoleHeapBytes: 6 * MEGABYTE,
  consoleRssBytes: 40 * MEGABYTE,
  /** Charts fill, and each of their selectors keeps a hundred results; what leaked once took 1.4 MB a minute. */
  pageHeapBytes: 6 * MEGABYTE,
  /** The past of the charts fills: each minute a point, and up to 24 places for marks. */
  nodes: 1_000,
  listeners: 200,
} as const;

export interface WatchReport {
  minutes: number;
  completed: number;
  series: Series[];
  findings: string[];
}

export async function watchConsole(minutes: number, say: (line: string) => void): Promise<WatchReport> {
  await buildConsole();
  const workerFile = await bundle('soak/soak-worker.ts');
  const heapFile = await bundle('soak/console-heap.ts');
  const folder = mkdtempSync(join(tmpdir(), 'redrive-soak-'));
  const server = await startRedis(['--appendonly', 'yes', '--appendfsync', 'everysec']);
  const processes = new Processes();
  const broker = createBroker({ url: server.path });
  const closers: (() => Promise<unknown>)[] = [() => server.stop(), () => processes.stopAll()];
  try {
    const worker = await startProcess('worker', workerFile, ['--expose-gc']);
    closers.push(() => worker.leave());
    await worker.ask('open', { path: server.path, id: 'soak-1', concurrency: 20 });
    const socket = join(folder, 'heap.sock');
    const own = await startRealConsole(processes, {
      redisUrl: server.path,
      users: [USER],
      env: {
        LOG_LEVEL: 'warn',
        SOAK_HEAP_SOCKET: socket,
        NODE_OPTIONS: `--import=${pathToFileURL(heapFile)}`,
      },
    });
    const traffic = await startTraffic(broker);
    closers.push(() => traffic.stop());
    const { cookie } = await own.signIn(USER);
    const { pages, close } = await openPages(own.url, cookie, PATHS);
    closers.push(close);
    say(`The console and ${PATHS.length} pages are open; watching them for ${minutes} minutes.`);
    const series = await Promise.race([sample({ minutes, socket, pages, say }), traffic.failed]);
    const trouble = worker.trouble();
    if (trouble !== null) throw new Error(`The worker is in trouble: ${trouble}`);
    const [reading] = await broker.inspect.snapshot([QUEUE]);
    const completed = reading?.totals.completed ?? 0;
    const findings = [
      ...judgeGrowth(series),
      ...pages
        .filter((page) => page.changes() < 2)
        .map(({ path }) => `${path} showed nothing new in ${minutes} minutes.`),
      ...(completed > 0 ? [] : ['No job was completed while the console was watched.']),
    ];
    return { minutes, completed, series, findings };
  } finally {
    for (const close of closers.reverse()) await close().catch(() => undefined);
    broker.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Sampling {
  minutes: number;
  socket: string;
  pages: readonly WatchedPage[];
  say: (line: string) => void;
}

async function sample({ minutes, socket, pages, say }: Sampling): Promise<Series[]> {
  const heaps: Heap[] = [];
  const sizes: PageSize[][] = pages.map(() => []);
  const startMs = performance.now();
  const everyMs = Math.max(SAMPLE_MIN_MS, (minutes * MINUTE_MS) / SAMPLES);
  for (let number = 1; performance.now() - startMs < minutes * MINUTE_MS; number += 1) {
    await sleep(Math.max(0, startMs + number * everyMs - performance.now()));
    heaps.push(await within(readHeap(socket), READ_MS, "the console's memory"));
    for (const [i, page] of pages.entries()) sizes[i]?.push(await page.read());
    if (number % SAY_EVERY === 0) say(sentence(heaps.at(-1), pages, sizes));
  }
  return [
    {
      name: 'console: heap',
      unit: 'bytes',
      allowed: ALLOWED.consoleHeapBytes,
      values: heaps.map(({ heldBytes }) => heldBytes),
    },
    {
      name: 'console: resident',
      unit: 'bytes',
      allowed: ALLOWED.consoleRssBytes,
      values: heaps.map(({ rssBytes }) => rssBytes),
    },
    ...pages.flatMap(({ path }, i) => pageSeries(path, sizes[i] ?? [])),
  ];
}

const pageSeries = (path: string, sizes: readonly PageSize[]): Series[] => [
  {
    name: `${path}: heap`,
    unit: 'bytes',
    allowed: ALLOWED.pageHeapBytes,
    values: sizes.map(({ heapBytes }) => heapBytes),
  },
  {
    name: `${path}: DOM nodes`,
    unit: 'count',
    allowed: ALLOWED.nodes,
    values: sizes.map(({ nodes }) => nodes),
  },
  {
    name: `${path}: event listeners`,
    unit: 'count',
    allowed: ALLOWED.listeners,
    values: sizes.map(({ listeners }) => listeners),
  },
];

function sentence(heap: Heap | undefined, pages: readonly WatchedPage[], sizes: readonly PageSize[][]) {
  const open = pages.map(({ path }, i) => `${path} ${megabytes(sizes[i]?.at(-1)?.heapBytes ?? 0)}`);
  return `console ${megabytes(heap?.heldBytes ?? 0)} (resident ${megabytes(heap?.rssBytes ?? 0)}); ${open.join(', ')}`;
}

function readHeap(socket: string): Promise<Heap> {
  return new Promise((resolve, reject) => {
    let text = '';
    connect(socket)
      .setEncoding('utf8')
      .on('data', (part: string) => {
        text += part;
      })
      .on('error', reject)
      .on('end', () => resolve(JSON.parse(text) as Heap));
  });
}
