/** Queues that all change every second. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker } from '@/testing/create-broker';
import { IDLE_REPORT } from '@/testing/records/idle-worker';

const TURN_MS = 1_000;
/** Nobody works on every tenth: its jobs pile up, and the overview finds it. */
const DESERTED_EVERY = 10;
const WORKERS = 4;
const LEASE_MS = 30_000;

interface QueueLoad {
  /** Rejects when a turn fails. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

/** Every second a job for each queue, which runs at once where there is a worker. Resolves after the first turn. */
export async function startQueueLoad(broker: Broker, names: readonly string[]): Promise<QueueLoad> {
  const served = names.filter((_, i) => i % DESERTED_EVERY !== 0);
  const startedAt = Date.now();
  let completed = 0;
  let stopping = false;

  const runJob = async (queue: string) => {
    const { jobs } = await broker.claim(queue, { worker: 'bench-0', count: 2 });
    if (jobs.length > 0) await broker.ack(queue, jobs);
    completed += jobs.length;
  };
  const report = (number: number) =>
    broker.workers.report({
      ...IDLE_REPORT,
      workerId: `bench-${number}`,
      pid: number + 1,
      leaseMs: LEASE_MS,
      startedAt,
      completed,
      queues: Object.fromEntries(served.filter((_, i) => i % WORKERS === number).map((queue) => [queue, 1])),
    });
  async function turn(): Promise<void> {
    await Promise.all(names.map((queue) => broker.enqueue(queue, { jobType: 'invoice.pay' })));
    await Promise.all(served.map(runJob));
    await Promise.all(Array.from({ length: WORKERS }, (_, number) => report(number)));
  }

  await turn();
  const running = (async () => {
    while (!stopping) await Promise.all([turn(), sleep(TURN_MS)]);
  })();
  const failed = running.then(() => new Promise<never>(() => undefined));
  failed.catch(() => undefined);
  return {
    failed,
    async stop() {
      stopping = true;
      await running.catch(() => undefined);
    },
  };
}
