/** `npm run bench:auth`: what signing in costs the API. */

import { paths } from '@/lib/contract/api-paths';
import { createBroker } from '@/testing/create-broker';
import { Processes } from '@/testing/worlds/processes';
import { type RealConsole, startRealConsole, type TestUser } from '@/testing/worlds/real-console';
import { killAll } from '@/testing/worlds/world';
import type { Bench } from '../harness/bench-command';
import { type BenchServer, startServer } from '../harness/bench-server';
import { buildConsole } from '../harness/bundle';
import { stamp } from '../harness/machine';
import { median, sameRoundRatios, spread } from '../harness/statistics';
import { type AuthReport, type AuthRow, authMarkdown, BAR, SIDES, type Side } from './auth-report';
import { CONCURRENCY, measureRate, type Rate } from './sign-in-load';

const QUEUE = 'bench';
const REQUESTS = [
  { name: 'GET /api/v1/queues', method: 'GET', path: paths.queues(), body: undefined },
  { name: 'GET /api/v1/dead', method: 'GET', path: paths.dead(), body: undefined },
  {
    name: 'POST /api/v1/queues/bench/pause',
    method: 'POST',
    path: paths.pause(QUEUE),
    body: { reason: 'measured', forMs: 600_000 },
  },
];
const ANN: TestUser = {
  name: 'ann',
  password: 'a long enough password for the bench',
  grants: [{ role: 'admin' }],
};
/** No rate limit may slow the requests down. */
const ENV = { LOG_LEVEL: 'warn', REDRIVE_RATE_FACTOR: '1000' };

/** Each side has its own console, so that all three are equally warm. */
interface Asker {
  readonly port: number;
  readonly pid: number;
  readonly headers: Record<string, string>;
}

export const bench: Bench<'rounds' | 'seconds'> = {
  help: `npm run bench:auth [-- options]

  --rounds N     rounds of every request and side (default 5)
  --seconds N    how long each is measured (default 3)
  --quick        one short round: shows that it works; nothing is written
  --out FILE     writes FILE.json and FILE.md (default bench/results/auth)`,
  out: 'bench/results/auth',
  numbers: { rounds: { default: 5, quick: 1, max: 100 }, seconds: { default: 3, quick: 1, max: 100 } },
  async run({ numbers: { rounds, seconds } }, say) {
    await buildConsole();
    const server = await startServer();
    const processes = new Processes();
    try {
      await seed(server.path);
      const consoles = await open(processes, server.path);
      const rates = await measure(consoles, server, rounds, seconds * 1_000, say);
      const rows = [...rates].map(([name, sides]) => rowOf(name, sides));
      const met = rows.every((row) => row.met);
      const report: AuthReport = { ...stamp(), rounds, concurrency: CONCURRENCY, bar: BAR, met, rows };
      return { report, text: authMarkdown(report), ok: true };
    } finally {
      await processes.stopAll();
      await server.stop();
    }
  },
};

/** Something to list: 200 waiting jobs, 200 dead ones. */
async function seed(path: string): Promise<void> {
  const broker = createBroker({ url: path });
  const jobs = (prefix: string) =>
    Array.from({ length: 200 }, (_, i) => ({
      jobId: `${prefix}-${i}`,
      jobType: 'email.send',
      payload: '{}',
    }));
  await killAll(broker, QUEUE, jobs('dead'));
  await broker.enqueueMany(QUEUE, jobs('ready'));
  broker.close();
}

async function open(processes: Processes, redisUrl: string): Promise<Record<Side, Asker>> {
  const start = (name: string, users: readonly TestUser[] = []) =>
    startRealConsole(processes, { redisUrl, users, env: ENV, name });
  const none = await start('the console without');
  const session = await start('the console with sessions', [ANN]);
  const token = await start('the console with tokens', [ANN]);
  const [cookie, other] = [await session.signIn(ANN), await token.signIn(ANN)];
  const asker = ({ port, process }: RealConsole, headers: Record<string, string>): Asker => ({
    port,
    pid: process.pid,
    headers,
  });
  return {
    none: asker(none, {}),
    session: asker(session, cookie),
    token: asker(token, { authorization: `Bearer ${await tokenFor(token, other)}` }),
  };
}

async function tokenFor(console: RealConsole, headers: { cookie: string }): Promise<string> {
  const body = { name: 'bench', grants: [{ role: 'admin' }] };
  const answer = await console.ask(paths.tokens(), { method: 'POST', headers, body });
  const { token } = answer.json();
  if (typeof token !== 'string') throw new Error(`No token was given: ${answer.status} ${answer.text}`);
  return token;
}

/** By request, then by side: the rate of each round. */
type Rates = Map<string, Record<Side, Rate[]>>;

async function measure(
  consoles: Record<Side, Asker>,
  server: BenchServer,
  rounds: number,
  forMs: number,
  say: (line: string) => void,
): Promise<Rates> {
  const rates: Rates = new Map(REQUESTS.map(({ name }) => [name, { none: [], session: [], token: [] }]));
  // Warms compiled code, scripts and connections.
  for (const { name: _, ...request } of REQUESTS)
    for (const side of SIDES)
      await measureRate({ ...consoles[side], ...request }, server, Math.min(forMs, 2_000));
  for (let round = 1; round <= rounds; round++)
    // Each round begins with another side, so that none always follows the rest.
    for (const { name, ...request } of REQUESTS)
      for (const side of [...SIDES.slice(round % 3), ...SIDES.slice(0, round % 3)]) {
        const rate = await measureRate({ ...consoles[side], ...request }, server, forMs);
        rates.get(name)?.[side].push(rate);
        say(
          `round ${round}, ${name}, ${side}: ${Math.round(rate.perSecond)} a second, ${Math.round(rate.cpuUs)} µs of processor each`,
        );
      }
  return rates;
}

function rowOf(name: string, sides: Record<Side, Rate[]>): AuthRow {
  const all = (side: Side, field: keyof Rate) => sides[side].map((rate) => rate[field]);
  const ratio = (side: Side) => spread(sameRoundRatios(all(side, 'perSecond'), all('none', 'perSecond')));
  // The other way round: what takes more processor time does less with it.
  const cpuRatio = (side: Side) => spread(sameRoundRatios(all('none', 'cpuUs'), all(side, 'cpuUs')));
  const middle = (field: keyof Rate) => ({
    none: median(all('none', field)),
    session: median(all('session', field)),
    token: median(all('token', field)),
  });
  const ratios = { session: ratio('session'), token: ratio('token') };
  return {
    name,
    perSecond: middle('perSecond'),
    cpuUs: middle('cpuUs'),
    ratio: ratios,
    cpuRatio: { session: cpuRatio('session'), token: cpuRatio('token') },
    met: (ratios.session?.median ?? 0) >= BAR && (ratios.token?.median ?? 0) >= BAR,
  };
}
