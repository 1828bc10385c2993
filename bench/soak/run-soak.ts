/**
 * The soak: all kinds of jobs through real workers on a real Redis, until everything has come to its end, and then what is
 * left is weighed.
 */
import type { Redis } from 'ioredis';
import { createBroker } from '@/testing/create-broker';
import { startRedis, type TestRedis } from '@/testing/worlds/redis-server';
import { type BenchProcess, startProcess } from '../harness/bench-process';
import { bundle } from '../harness/bundle';
import { memoryAtRest } from '../harness/redis-memory';
import { type Heap, heapNow } from './heap-size';
import { bytesAfresh, bytesOf, type KeyFound, surveyKeys } from './soak-memory';
import { createOperator, type Triaged } from './soak-operator';
import { type Produced, produce } from './soak-producer';
import { judgeQueue, whatHappened } from './soak-queue';
import { startRounds } from './soak-rounds';
import { settle } from './soak-settle';
import { judgeHeaps, judgeMemory, judgeMix, type Memory, type ProcessHeap } from './soak-verdict';

export interface SoakSizes {
  readonly jobs: number;
  readonly workers: number;
  readonly concurrency: number;
  /** So many jobs may wait before the producer does. */
  readonly backlogMax: number;
  /** So many dead jobs are left dead. */
  readonly keepDead: number;
}
export interface SoakReport {
  jobs: number;
  tookMs: number;
  jobsPerSecond: number;
  redisVersion: string;
  produced: Produced;
  triaged: Triaged;
  happened: Record<string, number>;
  memory: Memory;
  datasetBytes: { baseline: number; end: number };
  keys: KeyFound[];
  heaps: ProcessHeap[];
  odd: Record<string, number>;
  /** What was not as it should be, in sentences. */
  findings: string[];
}

export const sizesOf = (jobs: number): SoakSizes => ({
  jobs,
  workers: 2,
  concurrency: 100,
  backlogMax: Math.min(20_000, Math.ceil(jobs / 5)),
  keepDead: Math.min(1_000, Math.ceil(jobs / 100)),
});

/** As the demo runs it. The append-only file is rewritten as it grows, or a million jobs would fill the disk. */
const REDIS_ARGS = ['--appendonly', 'yes', '--appendfsync', 'everysec'];

export async function soak(sizes: SoakSizes, say: (line: string) => void): Promise<SoakReport> {
  const file = await bundle('soak/soak-worker.ts');
  const server = await startRedis(REDIS_ARGS);
  const processes: BenchProcess[] = [];
  try {
    return await soakOn(server, file, processes, sizes, say);
  } finally {
    await Promise.all(processes.map((process) => process.leave()));
    await server.stop();
  }
}

async function soakOn(
  server: TestRedis,
  file: string,
  processes: BenchProcess[],
  sizes: SoakSizes,
  say: (line: string) => void,
): Promise<SoakReport> {
  const redis = server.connect();
  const broker = createBroker({ url: server.path });
  try {
    const { version } = await broker.ready();
    for (let i = 1; i <= sizes.workers; i++) {
      const worker = await startProcess(`worker ${i}`, file, ['--expose-gc']);
      processes.push(worker);
      const { concurrency } = sizes;
      await worker.ask('open', { path: server.path, id: `soak-${i}`, concurrency });
    }
    const heapsOf = () => Promise.all(processes.map((process) => process.ask<Heap>('heap')));
    const ours = await heapNow();
    const atStart = await heapsOf();
    const baseline = await memoryAtRest(redis);
    say(
      `${sizes.jobs.toLocaleString('en')} jobs, ${sizes.workers} workers; Redis ${version} is up and empty.`,
    );

    const startedAtMs = performance.now();
    const operator = createOperator(broker, sizes.keepDead);
    const produced: Produced = { sent: 0, entered: 0, refused: 0, heldMost: 0 };
    const rounds = startRounds({ broker, redis, operator, produced, total: sizes.jobs, processes, say });
    try {
      await Promise.race([
        produce({ broker, total: sizes.jobs, backlogMax: sizes.backlogMax, say }, produced),
        rounds.failed,
      ]);
    } finally {
      await rounds.stop();
    }
    const tookMs = performance.now() - startedAtMs;
    say('All are sent; waiting for the last of them, and for the trash.');
    await settle(broker, redis, operator);

    const atEnd = await heapsOf();
    const oursAtEnd = await heapNow();
    const odd = await Promise.all(processes.map((process) => process.ask<Record<string, number>>('close')));
    const end = await memoryAtRest(redis);
    const keys = await surveyKeys(redis);
    const memory: Memory = {
      baselineBytes: baseline.bytes,
      peakBytes: Math.max(rounds.peakBytes(), end.bytes),
      endBytes: end.bytes,
      retainedBytes: bytesOf(keys),
      afreshBytes: await afresh(redis, keys),
    };
    const heaps: ProcessHeap[] = processes.map(({ name }, i) => ({
      name,
      start: atStart[i] ?? ours,
      end: atEnd[i] ?? oursAtEnd,
    }));
    heaps.push({ name: 'producer and operator', start: ours, end: oursAtEnd });
    const happened = await whatHappened(broker, produced);
    const findings = [
      ...judgeMemory(memory),
      ...judgeHeaps(heaps),
      ...judgeMix(happened),
      ...(await judgeQueue(broker, redis, keys, operator.triaged, produced, tookMs)),
    ];
    return {
      jobs: sizes.jobs,
      tookMs,
      jobsPerSecond: (sizes.jobs * 1_000) / tookMs,
      redisVersion: version,
      produced,
      triaged: operator.triaged,
      happened,
      memory,
      datasetBytes: { baseline: baseline.datasetBytes, end: end.datasetBytes },
      keys,
      heaps,
      odd: summed(odd),
      findings,
    };
  } finally {
    broker.close();
  }
}

async function afresh(redis: Redis, keys: readonly KeyFound[]): Promise<number> {
  const server = await startRedis();
  try {
    return await bytesAfresh(redis, keys, server.connect());
  } finally {
    await server.stop();
  }
}

function summed(parts: readonly Record<string, number>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const part of parts)
    for (const [what, times] of Object.entries(part)) total[what] = (total[what] ?? 0) + times;
  return total;
}
