/** The two systems whose pages are measured: the demo at rest with a dozen queues, and many queues that all change every second. */

import { paths } from '@/lib/contract/api-paths';
import { previewSchema } from '@/lib/contract/operations/operation-preview';
import type { Broker } from '@/testing/create-broker';
import { createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { Processes } from '@/testing/worlds/processes';
import { type RealConsole, startRealConsole } from '@/testing/worlds/real-console';
import { BUG, die, GATEWAY } from '../../e2e/dead-jobs';
import { startServer } from '../harness/bench-server';
import { startQueueLoad } from './queue-load';

const USER = {
  name: 'viewer',
  password: 'a long enough password for the bench',
  grants: [{ role: 'admin' as const }],
};
/** With the three of the demo, a dozen. */
const QUIET_QUEUES = 9;
const HOUR_MS = 3_600_000;
/** The demo is at rest once its workers have run for a while. */
const DEMO_COMPLETED = 100;
const SETTLE_MS = 120_000;
const ROUTE = 'listQueues';

export interface PageWorld {
  readonly own: RealConsole;
  readonly cookie: string;
  /** Names of what the pages show. */
  readonly places: { queue: string; jobId: string; operation: string; route: string };
  readonly queues: number;
  /** Rejects when the load fails. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

const queueName = (i: number): string =>
  `tenant-${i % 7}.a-queue-of-usual-length.${String(i).padStart(3, '0')}`;
const namesOf = (count: number): string[] => Array.from({ length: count }, (_, i) => queueName(i));
const never = new Promise<never>(() => undefined);

/** The demo with its default settings, and queues whose only job is not due. */
export const startDemoWorld = (): Promise<PageWorld> =>
  startWorld(namesOf(QUIET_QUEUES), async ({ broker, names, redisUrl, processes }) => {
    for (const name of names)
      await broker.enqueue(name, { jobId: 'j1', jobType: 'invoice.pay', delayMs: HOUR_MS });
    processes.node(['--enable-source-maps', 'dist/worker/index.js'], {
      name: 'the demo worker',
      env: { REDIS_URL: redisUrl, NODE_ENV: 'production' },
      ipc: true,
    });
    await until(
      async () => ((await broker.inspect.snapshot(['default']))[0]?.totals.completed ?? 0) > DEMO_COMPLETED,
      { what: 'the demo to run jobs', timeoutMs: SETTLE_MS, everyMs: 500 },
    );
    return { failed: never, stop: async () => undefined };
  });

/** A job a second in each queue; in nine of ten it runs at once, in the others nobody works. */
export const startLiveWorld = (queues: number): Promise<PageWorld> =>
  startWorld(namesOf(queues), async ({ broker, names }) => startQueueLoad(broker, names));

interface Parts {
  broker: Broker;
  names: readonly string[];
  redisUrl: string;
  processes: Processes;
}

async function startWorld(
  names: readonly string[],
  startJobs: (parts: Parts) => Promise<{ failed: Promise<never>; stop(): Promise<void> }>,
): Promise<PageWorld> {
  const server = await startServer();
  const processes = new Processes();
  const broker = createBroker({ url: server.path });
  const closers = [() => server.stop(), async () => broker.close(), () => processes.stopAll()];
  const stop = async () => {
    for (const close of closers.reverse()) await close().catch(() => undefined);
  };
  try {
    const own = await startRealConsole(processes, {
      redisUrl: server.path,
      users: [USER],
      env: { LOG_LEVEL: 'warn', REDRIVE_LAB: 'on', NODE_ENV: 'production' },
    });
    const { cookie } = await own.signIn(USER);
    const [queue = ''] = names;
    const [jobId = ''] = await die(broker, queue, GATEWAY);
    await die(broker, queue, BUG);
    const operation = await purge(own, cookie, `queue:${queue} type:${BUG.jobType}`);
    await post(own, cookie, paths.schedules(), {
      id: 'nightly-report',
      queue,
      timing: { cron: '0 2 * * *', timeZone: 'UTC' },
      job: { jobType: 'report.build' },
    });
    const jobs = await startJobs({ broker, names, redisUrl: server.path, processes });
    closers.push(() => jobs.stop());
    const queues = await until(
      async () => {
        const { total } = (await own.ask(`${paths.queues()}?limit=1`, { headers: { cookie } })).json();
        return Number(total) >= names.length ? Number(total) : null;
      },
      { what: 'the console to know all queues', timeoutMs: SETTLE_MS, everyMs: 500 },
    );
    return {
      own,
      cookie,
      places: { queue, jobId, operation, route: ROUTE },
      queues,
      failed: jobs.failed,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function post(own: RealConsole, cookie: string, path: string, body: object) {
  const answer = await own.ask(path, { method: 'POST', headers: { cookie }, body });
  if (answer.status >= 300) throw new Error(`POST ${path} was answered ${answer.status}: ${answer.text}`);
  return answer.json();
}

/** An operation for the page of one, and the event of the audit log that it makes. */
async function purge(own: RealConsole, cookie: string, q: string): Promise<string> {
  const request = { kind: 'purge', scope: { q } };
  const { token, typedCount } = previewSchema.parse(
    await post(own, cookie, paths.operationPreview(), request),
  );
  const { id } = await post(own, cookie, paths.operations(), {
    previewToken: token,
    reason: 'Replaced by the next release',
    ...(typedCount === null ? {} : { typedCount }),
  });
  return String(id);
}
