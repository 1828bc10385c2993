/** The same queues, jobs, failures, operations and workers in every run, for the pictures of e2e/screens. */
import { type APIRequestContext, expect } from '@playwright/test';
import type { Broker } from '../../testing/create-broker';
import { IDLE_REPORT } from '../../testing/records/idle-worker';
import { get, overview, startOperation } from '../api-requests';
import { BAD_INPUT, BUG, type Deaths, die, GATEWAY } from '../dead-jobs';

export const DEAD_JOB = { queue: 'payments', jobId: 'order-7017' };
const WORKER = {
  ...IDLE_REPORT,
  host: 'app-1',
  pid: 4_711,
  version: '1.4.0',
  queues: { mail: 3, reports: 1 },
  concurrency: 4,
  leaseMs: 30_000,
  completed: 40,
  failed: 17,
  handlers: [{ type: 'email.send', versions: [1, 2] }],
  memoryBytes: 96 * 1_024 * 1_024,
  eventLoopDelayMs: 2,
};

/** As often as workers do, or they would be lost. Call what it returns. */
export function reportWorkers(broker: Broker): () => void {
  const startedAt = Date.now();
  const report = () =>
    Promise.all(
      ['mailer-1', 'mailer-2'].map((workerId) => broker.workers.report({ ...WORKER, workerId, startedAt })),
    );
  void report();
  const timer = setInterval(() => void report(), 1_000);
  return () => clearInterval(timer);
}

async function complete(broker: Broker, queue: string, count: number): Promise<void> {
  const jobs = Array.from({ length: count }, (_, n) => ({
    jobId: `${queue}-done-${n}`,
    jobType: 'email.send',
    tenantId: 'acme',
  }));
  await broker.enqueueMany(queue, jobs);
  for (let left = count; left > 0; ) {
    const claimed = await broker.claim(queue, { worker: 'mailer-1', count: left });
    await broker.ack(queue, claimed.jobs);
    left -= claimed.jobs.length;
  }
}

const wait = (broker: Broker, queue: string, count: number, delayMs?: number) =>
  broker.enqueueMany(
    queue,
    Array.from({ length: count }, (_, n) => ({
      jobId: `${queue}-${String(n).padStart(3, '0')}`,
      jobType: n % 3 === 0 ? 'report.build' : 'email.send',
      tenantId: ['acme', 'globex', 'initech'][n % 3],
      ...(delayMs ? { delayMs } : {}),
    })),
  );
const dead = (broker: Broker, queue: string, deaths: Deaths, count: number, first = 0) =>
  die(broker, queue, { ...deaths, count, jobId: (n) => `order-${7_000 + first + n}` });

/** What is re-driven. */
const RERUN = ['email.digest', 'email.receipt'] as const;

/** Objectives are out of reach, so that nothing becomes a warning by growing old. */
const CALM = { objectiveAgeMs: 86_400_000, objectiveFailurePercent: 100 };

export async function seedScreens(broker: Broker, request: APIRequestContext): Promise<void> {
  await complete(broker, 'mail', 40);
  await complete(broker, 'payments', 60);
  await dead(broker, 'payments', GATEWAY, 24);
  await dead(broker, 'payments', BUG, 5, 100);
  await dead(broker, 'mail', BAD_INPUT, 12, 200);
  for (const [n, jobType] of RERUN.entries())
    await dead(broker, 'mail', { ...BUG, jobType }, 6 - n, 300 + 100 * n);
  await wait(broker, 'mail', 18);
  await wait(broker, 'payments', 7);
  await wait(broker, 'reports', 9, 86_400_000);
  await broker.pause(
    'reports',
    { reason: 'Warehouse moves until Monday, ask the data team' },
    { actor: 'bob' },
  );
  for (const queue of ['mail', 'payments', 'reports'])
    expect((await request.patch(`/api/v1/queues/${queue}/config`, { data: CALM })).status()).toBe(200);
  const ids: string[] = [];
  for (const jobType of RERUN)
    ids.push(
      (
        await startOperation(
          request,
          { kind: 'redrive', scope: { q: `queue:mail type:${jobType}` } },
          { reason: 'Release 1.4.1 fixes it' },
        )
      ).id,
    );
  for (const id of ids)
    await expect
      .poll(
        async () =>
          ((await (await get(request, `/api/v1/operations/${id}`)).json()) as { status: string }).status,
      )
      .toBe('completed');
  // Rates are those of the last minute: once it has passed, they are zero for good.
  await expect
    .poll(
      async () => {
        const { queues } = await overview(request);
        return queues.map(
          ({ rates }) => rates.arrivalPerSecond + rates.completedPerSecond + (rates.failureRatio ?? 0),
        );
      },
      { timeout: 120_000, intervals: [1_000] },
    )
    .toEqual([0, 0, 0]);
}
