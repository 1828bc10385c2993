/** The page of failure groups, as a console that was just started reads it: groups and facets at once, of groups that many queues share. */
import { type Broker, createBroker } from '@/testing/create-broker';
import { startServer } from '../harness/bench-server';
import { median } from '../harness/statistics';
import type { Found } from './dead-cells';

const QUEUES = 200;
const GROUPS = 178;
const TENANTS = 50;
const JOBS_MAX = 100_000;
const REPEATS = 5;

const queueOf = (i: number): string => `shared-${String(i).padStart(3, '0')}`;

/** @param jobs dead letters of the bench; of more than 100,000 the rest is left out */
export async function groupsPage(jobs: number): Promise<Found[]> {
  const server = await startServer();
  const brokers: Broker[] = [];
  const open = () => {
    const broker = createBroker({ url: server.path });
    brokers.push(broker);
    return broker;
  };
  try {
    const perQueue = Math.min(jobs, JOBS_MAX) / QUEUES;
    const seeder = open();
    for (let i = 0; i < QUEUES; i++) await fill(seeder, i, perQueue);
    const tookMs: number[] = [];
    for (let i = 0; i < REPEATS; i++) {
      const { inspect } = open();
      await inspect.snapshot([queueOf(0)]);
      const startMs = performance.now();
      const [groups, facets] = await Promise.all([inspect.groups({ q: '' }), inspect.facets({ q: '' })]);
      tookMs.push(performance.now() - startMs);
      if (groups.matching.count !== perQueue * QUEUES || facets.matching.count !== perQueue * QUEUES)
        throw new Error(`${groups.matching.count} of ${perQueue * QUEUES} dead letters are in the groups.`);
    }
    return [{ measure: 'groups-page', value: median(tookMs) }];
  } finally {
    for (const broker of brokers) broker.close();
    await server.stop();
  }
}

async function fill(broker: Broker, i: number, jobs: number): Promise<void> {
  const queue = queueOf(i);
  const numbers = Array.from({ length: jobs }, (_, k) => i * jobs + k);
  await broker.enqueueMany(
    queue,
    numbers.map((n) => ({
      jobId: `job-${n}`,
      jobType: `step-${n % GROUPS}`,
      tenantId: `tenant-${(n * 7_919) % TENANTS}`,
      maxAttempts: 1,
      payload: JSON.stringify({ order: n, pad: 'x'.repeat(100) }),
    })),
  );
  for (let left = jobs; left > 0; ) {
    const { jobs: claimed } = await broker.claim(queue, { worker: 'seeder', count: left });
    if (claimed.length === 0) throw new Error(`${left} jobs of ${queue} cannot be claimed.`);
    await broker.fail(
      queue,
      claimed.map(({ jobId, token }) => ({
        jobId,
        token,
        failure: {
          again: false,
          errorClass: 'permanent',
          errorCode: 'REFUSED',
          message: `the upstream refused ${jobId}`,
        },
      })),
    );
    left -= claimed.length;
  }
}
