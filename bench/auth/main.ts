/** `npm run bench:auth`: what signing in costs the API. */
import { parseArgs } from 'node:util';
import { createBroker } from '@/lib/broker';
import { paths } from '@/lib/contract/api';
import { Processes } from '../../testing/processes';
import { type RealConsole, startRealConsole, type TestUser } from '../../testing/real-console';
import { killAll } from '../../testing/world';
import { buildConsole } from '../harness/build';
import { machine, versions } from '../harness/machine';
import { writeReport } from '../harness/report';
import { type BenchServer, startServer } from '../harness/server';
import { median, sameRoundRatios, spread } from '../harness/statistics';
import { CONCURRENCY, measureRate, type Rate } from './load';
import { type AuthReport, type AuthRow, authMarkdown, BAR, SIDES, type Side } from './report';

const HELP = `npm run bench:auth [-- options]

  --rounds N     rounds of every request and side (default 5)
  --seconds N    how long each is measured (default 3)
  --quick        one short round: shows that it works; nothing is written
  --out FILE     writes FILE.json and FILE.md (default bench/results/auth)`;

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
/** Rates are what is measured, so no limit may be met. */
const ENV = { LOG_LEVEL: 'warn', REDRIVE_RATE_FACTOR: '1000' };

/** A console of its own each, so that all three are equally warm. */
interface Asker {
  readonly port: number;
  readonly pid: number;
  readonly headers: Record<string, string>;
}

export async function main(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const { quick } = values;
  const rounds = wholeNumber('--rounds', values.rounds ?? (quick ? '1' : '5'));
  const forMs = wholeNumber('--seconds', values.seconds ?? (quick ? '1' : '3')) * 1_000;
  await buildConsole();
  const server = await startServer();
  const processes = new Processes();
  try {
    await seed(server.path);
    const askers = await open(processes, server.path);
    const report = reportOf(rounds, await measure(askers, server, rounds, forMs));
    const text = authMarkdown(report);
    console.log(`\n${text}`);
    const out = values.out ?? (quick ? null : 'bench/results/auth');
    if (out !== null) writeReport(out, report, text);
    return 0;
  } finally {
    await processes.stopAll();
    await server.stop();
  }
}

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

/** By request, then by side: what each round found. */
type Found = Map<string, Record<Side, Rate[]>>;

async function measure(
  askers: Record<Side, Asker>,
  server: BenchServer,
  rounds: number,
  forMs: number,
): Promise<Found> {
  const found: Found = new Map(REQUESTS.map(({ name }) => [name, { none: [], session: [], token: [] }]));
  // Whatever is made once is made before: compiled code, scripts, connections.
  for (const { name: _, ...what } of REQUESTS)
    for (const side of SIDES) await measureRate({ ...askers[side], ...what }, server, Math.min(forMs, 2_000));
  for (let round = 1; round <= rounds; round++)
    // Another one begins in each round, so that none is always the one after a rest.
    for (const { name, ...what } of REQUESTS)
      for (const side of [...SIDES.slice(round % 3), ...SIDES.slice(0, round % 3)]) {
        const rate = await measureRate({ ...askers[side], ...what }, server, forMs);
        found.get(name)?.[side].push(rate);
        const { perSecond, cpuUs } = rate;
        console.log(
          `round ${round}, ${name}, ${side}: ${Math.round(perSecond)} a second, ${Math.round(cpuUs)} µs of processor each`,
        );
      }
  return found;
}

function reportOf(rounds: number, found: Found): AuthReport {
  const rows = [...found].map(([name, sides]) => rowOf(name, sides));
  return {
    machine: machine(),
    versions: versions(),
    at: new Date().toISOString(),
    rounds,
    concurrency: CONCURRENCY,
    bar: BAR,
    met: rows.every(({ met }) => met),
    rows,
  };
}

function rowOf(name: string, sides: Record<Side, Rate[]>): AuthRow {
  const all = (side: Side, of: keyof Rate) => sides[side].map((rate) => rate[of]);
  const ratio = (side: Side) => spread(sameRoundRatios(all(side, 'perSecond'), all('none', 'perSecond')));
  // The other way round: what takes more processor time does less with it.
  const cpuRatio = (side: Side) => spread(sameRoundRatios(all('none', 'cpuUs'), all(side, 'cpuUs')));
  const middle = (of: keyof Rate) => ({
    none: median(all('none', of)),
    session: median(all('session', of)),
    token: median(all('token', of)),
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

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 100)
    throw new Error(`${option} takes whole numbers from 1 to 100, not ${text}.`);
  return value;
}
