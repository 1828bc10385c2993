/** One load in one round: its servers and processes, what they use while jobs are enqueued and run, and a check of the books. */
import { within } from '@/scripts/lib/deadline.mjs';
import { type BenchProcess, startProcess } from '../harness/bench-process';
import { CONCURRENCY, ENQUEUES_IN_FLIGHT, HANDLER_MS, type Load, queueNames, WARM_JOBS } from './scale-plan';
import { type ScaleServers, startServers, type Usage } from './scale-servers';

/** A job's whole life, unless the name says otherwise. */
export interface Figures {
  enqueueClientUs: number;
  runClientUs: number;
  redisUs: number;
  /** Redis's part of the enqueue; null where jobs are enqueued while others run. */
  enqueueRedisUs: number | null;
  receivedBytes: number;
  sentBytes: number;
  aofBytes: number;
  /** Of a waiting job; null where none waits, or too few. */
  memoryBytes: number | null;
  runPerSecond: number;
  /** Share of the busiest node in the processor time of all. */
  busiestShare: number;
}

export interface Scene {
  readonly servers: ScaleServers;
  readonly producer: BenchProcess;
  readonly workers: readonly BenchProcess[];
}

const WARM_BYTES = 60_000_000;
const FILL_MS = 300_000;
const RUN_MS = 180_000;
/** Of fewer bytes in all, the allocator's rounding is a part that shows. */
const MEMORY_FROM_JOBS = 1_000;
const STARTS_AT_ONCE = 4;

export async function withScene<T>(
  file: string,
  load: Load,
  quick: boolean,
  work: (scene: Scene) => Promise<T>,
): Promise<T> {
  const servers = await startServers(load.shards !== null);
  const processes: BenchProcess[] = [];
  const start = async (role: string) => {
    const process = await startProcess(role, file);
    processes.push(process);
    await process.ask('open', { url: servers.url });
    const jobs = quick ? 200 : Math.min(WARM_JOBS, Math.round(WARM_BYTES / load.payloadBytes));
    await process.ask('warmUp', { jobs, payloadBytes: load.payloadBytes }, RUN_MS);
    return process;
  };
  try {
    const producer = await start('producer');
    // Before the workers start: a running one learns of it within five seconds.
    if (load.shards !== null)
      for (const queue of queueNames(load.queues)) await producer.ask('shard', { queue, count: load.shards });
    const workers: BenchProcess[] = [];
    while (workers.length < load.processes) {
      const count = Math.min(STARTS_AT_ONCE, load.processes - workers.length);
      const first = workers.length + 1;
      workers.push(
        ...(await Promise.all(Array.from({ length: count }, (_, i) => start(`worker ${first + i}`)))),
      );
    }
    const result = await work({ servers, producer, workers });
    for (const process of processes) {
      const trouble = process.trouble();
      if (trouble !== null) throw new Error(`${process.name}: ${trouble}`);
    }
    return result;
  } finally {
    await Promise.all(
      processes.map(async (process) => {
        await process.ask('close', {}, 10_000).catch(() => undefined);
        await process.leave();
      }),
    );
    await servers.stop();
  }
}

/** Enqueues jobs that wait, past the measured ones. */
export const fill = ({ producer }: Scene, load: Load, count: number): Promise<void> =>
  producer.ask(
    'addInBulk',
    { queues: queueNames(load.queues), count, payloadBytes: load.payloadBytes },
    FILL_MS,
  );

/** @param waiting jobs that waited before, and wait afterwards */
export async function measureLoad(scene: Scene, load: Load, waiting = 0): Promise<Figures> {
  const figures =
    load.perSecond === null ? await measureBacklog(scene, load) : await measureRate(scene, load);
  const books = await scene.producer.ask<{ waiting: number; wrong: number }>(
    'books',
    { queues: queueNames(load.queues) },
    RUN_MS,
  );
  if (books.wrong !== 0) throw new Error(`The ledgers are off by ${books.wrong}.`);
  if (waiting === 0 && books.waiting !== 0) throw new Error(`${books.waiting} jobs are left.`);
  return figures;
}

/** Enqueues all jobs, then runs as many. */
async function measureBacklog(scene: Scene, load: Load): Promise<Figures> {
  const { servers, producer } = scene;
  const queues = queueNames(load.queues);
  const { jobs, payloadBytes } = load;
  // The nodes of a Cluster talk among themselves: their memory never rests.
  const weighs = load.shards === null && jobs >= MEMORY_FROM_JOBS;
  const emptyBytes = weighs ? await servers.dataBytes() : 0;
  const start = await servers.usage();
  const added = await producer.ask<{ cpuUs: number }>(
    'addSingly',
    { queues, count: jobs, payloadBytes, inFlight: ENQUEUES_IN_FLIGHT },
    RUN_MS,
  );
  const enqueued = await servers.usage();
  const memoryBytes = weighs ? ((await servers.dataBytes()) - emptyBytes) / jobs : null;
  const before = await servers.usage();
  const ran = await runJobs(scene, load, 0);
  const after = await servers.usage();
  const [adding, running] = [usedBetween(start, enqueued), usedBetween(before, after)];
  return {
    enqueueClientUs: added.cpuUs / jobs,
    runClientUs: ran.cpuUs / ran.done,
    redisUs: adding.us / jobs + running.us / ran.done,
    enqueueRedisUs: adding.us / jobs,
    receivedBytes: adding.received / jobs + running.received / ran.done,
    sentBytes: adding.sent / jobs + running.sent / ran.done,
    aofBytes: adding.aofBytes / jobs + running.aofBytes / ran.done,
    memoryBytes,
    runPerSecond: ran.perSecond,
    busiestShare: running.busiestShare,
  };
}

/** Enqueues jobs at a rate while others run. */
async function measureRate(scene: Scene, load: Load): Promise<Figures> {
  const { servers, producer } = scene;
  const { jobs, payloadBytes, perSecond } = load;
  const before = await servers.usage();
  let added = { cpuUs: 0 };
  const ran = await runJobs(scene, load, HANDLER_MS, async () => {
    added = await producer.ask(
      'addAtRate',
      { queues: queueNames(load.queues), count: jobs, payloadBytes, perSecond },
      RUN_MS,
    );
  });
  const used = usedBetween(before, await servers.usage());
  return {
    enqueueClientUs: added.cpuUs / jobs,
    runClientUs: ran.cpuUs / ran.done,
    redisUs: used.us / ran.done,
    enqueueRedisUs: null,
    receivedBytes: used.received / ran.done,
    sentBytes: used.sent / ran.done,
    aofBytes: used.aofBytes / ran.done,
    memoryBytes: null,
    runPerSecond: ran.perSecond,
    busiestShare: used.busiestShare,
  };
}

/** Runs `load.jobs` jobs or, where more wait, a few more. Processor time includes the start and end of the workers. */
async function runJobs(
  { workers }: Scene,
  { jobs, queues }: Load,
  handlerMs: number,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<{ done: number; cpuUs: number; perSecond: number }> {
  const names = queueNames(queues);
  await Promise.all(
    workers.map((worker, i) =>
      worker.ask('prepare', { id: `scale-${i + 1}`, queues: names, concurrency: CONCURRENCY, handlerMs }),
    ),
  );
  const done = () => workers.reduce((sum, worker) => sum + worker.progress().done, 0);
  const all = new Promise<void>((resolve) => {
    for (const worker of workers)
      worker.onProgress(() => {
        if (done() >= jobs) resolve();
      });
  });
  const starts = await Promise.all(workers.map((worker) => worker.ask<number>('go')));
  await meanwhile();
  await within(all, RUN_MS, `${jobs} jobs to run`);
  const lastMs = Math.max(...workers.map((worker) => worker.progress().lastDoneAtMs));
  const ends = await Promise.all(
    workers.map((worker) => worker.ask<{ cpuUs: number; done: number }>('finish')),
  );
  const sum = ends.reduce((total, end) => ({ cpuUs: total.cpuUs + end.cpuUs, done: total.done + end.done }));
  return { ...sum, perSecond: (sum.done / (lastMs - Math.min(...starts))) * 1_000 };
}

export function usedBetween(before: Usage, after: Usage) {
  const nodeUs = after.nodeUs.map((us, i) => us - (before.nodeUs[i] ?? 0));
  const us = nodeUs.reduce((sum, one) => sum + one, 0);
  return {
    us,
    busiestShare: us === 0 ? 1 : Math.max(...nodeUs) / us,
    received: after.received - before.received,
    sent: after.sent - before.sent,
    aofBytes: after.aofBytes - before.aofBytes,
  };
}
