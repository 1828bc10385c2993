/** `npm run bench:shares`: how long a user waits while another one has two hundred searches at once. */
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { paths } from '@/lib/contract/api-paths';
import { createBroker } from '@/testing/create-broker';
import { Processes } from '@/testing/worlds/processes';
import { type RealConsole, startRealConsole, type TestUser } from '@/testing/worlds/real-console';
import { jobs, killAll } from '@/testing/worlds/world';
import type { Bench } from '../harness/bench-command';
import { metOrMissed, number, tableOf } from '../harness/bench-report';
import { startServer } from '../harness/bench-server';
import { buildConsole } from '../harness/bundle';
import { type Stamp, stamp, stampLine } from '../harness/machine';
import { quantile } from '../harness/statistics';

const BAR = 2;
const BIG = 'big';
const QUEUE = 'payments';
const WORDS = 60;
const BATCH = 500;
const user = (name: string): TestUser => ({
  name,
  password: 'a long enough password for the bench',
  grants: [{ role: 'admin' }],
});
const [GREEDY, OTHER] = [user('greedy'), user('other')];
const greedyQuery = Array.from({ length: WORDS }, (_, i) => `zz${i}q`).join(' OR ');

const PROBES = [
  { name: 'overview', method: 'GET', path: paths.queues() },
  { name: 'search', method: 'GET', path: `${paths.dead()}?q=queue:${QUEUE}%20lorem` },
  {
    name: 'pause',
    method: 'POST',
    path: paths.pause(QUEUE),
    body: { reason: 'measured', forMs: 600_000 },
  },
] as const;

interface Row {
  what: string;
  quietP95Ms: number;
  busyP95Ms: number;
  ratio: number;
  met: boolean;
}
interface SharesReport extends Stamp {
  dead: number;
  atOnce: number;
  rounds: number;
  samples: number;
  /** Answers to the searches, by status. */
  answers: Record<string, number>;
  rows: Row[];
  met: boolean;
}
type Times = Map<string, number[]>;

export const bench: Bench<'dead' | 'searches' | 'rounds' | 'seconds'> = {
  help: `npm run bench:shares [-- options]

  --dead N       dead letters that the searches look through (default 30000)
  --searches N   searches of one user at a time (default 200)
  --rounds N     rounds: each is measured without and with the searches (default 4)
  --seconds N    how long each is measured (default 8)
  --quick        3,000 dead letters, one short round: shows that it works; nothing is written
  --out FILE     writes FILE.json and FILE.md (default bench/results/shares)`,
  out: 'bench/results/shares',
  numbers: {
    dead: { default: 30_000, quick: 3_000, max: 1_000_000 },
    searches: { default: 200, max: 1_000 },
    rounds: { default: 4, quick: 1, max: 100 },
    seconds: { default: 8, quick: 2, max: 100 },
  },
  async run({ numbers: { dead, searches, rounds, seconds } }, say) {
    await buildConsole();
    const server = await startServer();
    const processes = new Processes();
    try {
      say(`Making ${number(dead)} dead letters …`);
      await seed(server.path, dead);
      // The rate limit would refuse what the share is measured by.
      const env = { LOG_LEVEL: 'warn', REDRIVE_RATE_FACTOR: '1000' };
      const console = await startRealConsole(processes, {
        redisUrl: server.path,
        users: [GREEDY, OTHER],
        env,
        name: 'the console',
      });
      const [greedy, other] = [await console.signIn(GREEDY), await console.signIn(OTHER)];
      const ask = askerOf(console, other);
      await measure(ask, 2_000, new Map());
      const [quiet, busy]: [Times, Times] = [new Map(), new Map()];
      const answers: Record<string, number> = {};
      for (let round = 1; round <= rounds; round++) {
        await measure(ask, seconds * 1_000, quiet);
        const stop = await startGreedy(console, greedy, searches);
        await measure(ask, seconds * 1_000, busy);
        for (const [status, count] of Object.entries(await stop()))
          answers[status] = (answers[status] ?? 0) + count;
        say(`round ${round}: ${PROBES.map(({ name }) => lineOf(name, quiet, busy)).join(', ')}`);
      }
      const rows = PROBES.map(({ name }) => rowOf(name, quiet, busy));
      const samples = Math.min(...[...busy.values()].map(({ length }) => length));
      const met = rows.every((row) => row.met);
      const report = { ...stamp(), dead, atOnce: searches, rounds, samples, answers, rows, met };
      return { report, text: sharesMarkdown(report), ok: met };
    } finally {
      await processes.stopAll();
      await server.stop();
    }
  },
};

async function seed(path: string, dead: number): Promise<void> {
  const broker = createBroker({ url: path });
  const payload = JSON.stringify({ text: 'lorem ipsum '.repeat(30) });
  for (let i = 0; i < dead; i += BATCH) await killAll(broker, BIG, jobs(BATCH, i, { payload }));
  await killAll(broker, QUEUE, jobs(200, 0, { payload }));
  broker.close();
}

type Ask = (probe: (typeof PROBES)[number]) => Promise<void>;

const askerOf =
  (console: RealConsole, headers: Record<string, string>): Ask =>
  async ({ name, ...probe }) => {
    const { status, text } = await console.ask(probe.path, { ...probe, headers });
    if (status !== 200) throw new Error(`${name} was answered with ${status}: ${text.slice(0, 300)}`);
  };

/** One probe after the other, as a person does. */
async function measure(ask: Ask, forMs: number, times: Times): Promise<void> {
  const until = performance.now() + forMs;
  while (performance.now() < until)
    for (const probe of PROBES) {
      const start = performance.now();
      await ask(probe);
      times.set(probe.name, [...(times.get(probe.name) ?? []), performance.now() - start]);
    }
}

/** @returns ends the searches, and tells what was answered to them */
async function startGreedy(
  console: RealConsole,
  headers: Record<string, string>,
  atOnce: number,
): Promise<() => Promise<Record<string, number>>> {
  const url = `${console.url}${paths.dead()}?q=${encodeURIComponent(greedyQuery)}`;
  const worker = new Worker(join(import.meta.dirname, 'greedy-thread.mjs'), {
    workerData: { url, headers, atOnce },
  });
  await once(worker, 'online');
  return async () => {
    const ended = once(worker, 'message');
    worker.postMessage('stop');
    const [answers] = await ended;
    await worker.terminate();
    return answers;
  };
}

function rowOf(what: string, quiet: Times, busy: Times): Row {
  const [quietP95Ms, busyP95Ms] = [quiet, busy].map((times) => quantile(times.get(what) ?? [], 0.95)) as [
    number,
    number,
  ];
  const ratio = busyP95Ms / quietP95Ms;
  return { what, quietP95Ms, busyP95Ms, ratio, met: ratio <= BAR };
}

function lineOf(name: string, quiet: Times, busy: Times): string {
  const { quietP95Ms, busyP95Ms } = rowOf(name, quiet, busy);
  return `${name} ${quietP95Ms.toFixed(0)} → ${busyP95Ms.toFixed(0)} ms`;
}

function sharesMarkdown(report: SharesReport): string {
  const { dead, atOnce, rounds, samples, answers, rows, met } = report;
  const answered = Object.entries(answers).map(([status, count]) => `${number(count)} with ${status}`);
  return [
    '# Results of `npm run bench:shares`',
    stampLine(report),
    `**${met ? 'The bar is met' : 'The bar is missed'}.**`,
    `One user keeps ${atOnce} searches open, each for ${WORDS} words over ${number(dead)} dead letters, and waits as long as a refusal says. Another user asks for one thing after the other; ${rounds} rounds, at least ${number(samples)} requests of each kind. The searches were answered: ${answered.join(', ')}.`,
    tableOf(
      ['of the other user', 'p95 without', 'p95 with', 'ratio', 'bar', ''],
      rows.map(({ what, quietP95Ms, busyP95Ms, ratio, met: isMet }) => [
        what,
        `${quietP95Ms.toFixed(1)} ms`,
        `${busyP95Ms.toFixed(1)} ms`,
        ratio.toFixed(2),
        `≤ ${BAR}`,
        metOrMissed(isMet),
      ]),
    ),
  ].join('\n\n');
}
