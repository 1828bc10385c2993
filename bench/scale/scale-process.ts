/** A process under measurement: Redrive with its defaults, as producer or worker. Bundled, so that it runs as an application would. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createWorker, defineHandler, type Worker } from '@/lib/worker';
import { type Broker, createBroker } from '@/testing/create-broker';
import { nowMs, type Progress, serve, tell, tellTrouble } from '../harness/bench-child';

const JOB_TYPE = 'email.send';
const TELL_EVERY_MS = 20;
const SNAPSHOT_QUEUES = 500;
const NOTHING: Progress = { started: 0, lastStartedAtMs: 0, done: 0, lastDoneAtMs: 0 };
const schema = z.object({ text: z.string() });

export interface Jobs {
  readonly queues: readonly string[];
  readonly count: number;
  readonly payloadBytes: number;
}
interface WorkOptions {
  readonly id: string;
  readonly queues: readonly string[];
  readonly concurrency: number;
  /** How long each job takes; 0: nothing is done. */
  readonly handlerMs: number;
}

let broker: Broker | null = null;
let worker: Worker | null = null;
let timer: NodeJS.Timeout | undefined;
let cpu = process.cpuUsage();
let progress: Progress = { ...NOTHING };
const opened = (): Broker => {
  if (!broker) throw new Error('open comes first.');
  return broker;
};
const cpuUs = (): number => {
  const { user, system } = process.cpuUsage(cpu);
  return user + system;
};

const textOf = (bytes: number) =>
  'the quick brown fox '.repeat(bytes / 20 + 1).slice(0, bytes - '{"text":""}'.length);

function inputOf(payloadBytes: number) {
  const text = textOf(payloadBytes);
  // Converted for each job, as an application does.
  return () => ({ jobType: JOB_TYPE, tenantId: 'acme', maxAttempts: 8, payload: JSON.stringify({ text }) });
}

async function addSingly({ queues, count, payloadBytes, inFlight }: Jobs & { inFlight: number }) {
  const input = inputOf(payloadBytes);
  cpu = process.cpuUsage();
  let next = 0;
  const sender = async () => {
    while (next < count) await opened().enqueue(queues[next++ % queues.length] ?? '', input());
  };
  await Promise.all(Array.from({ length: inFlight }, sender));
  return { cpuUs: cpuUs() };
}

async function addInBulk({ queues, count, payloadBytes }: Jobs): Promise<void> {
  const input = inputOf(payloadBytes);
  for (let from = 0, call = 0; from < count; from += 1_000, call++)
    await opened().enqueueMany(
      queues[call % queues.length] ?? '',
      Array.from({ length: Math.min(1_000, count - from) }, input),
    );
}

/** One by one, evenly over time: those of a millisecond leave together. */
async function addAtRate({ queues, count, payloadBytes, perSecond }: Jobs & { perSecond: number }) {
  const input = inputOf(payloadBytes);
  const calls: Promise<unknown>[] = [];
  cpu = process.cpuUsage();
  const startedAtMs = nowMs();
  while (calls.length < count) {
    const due = Math.min(count, Math.ceil(((nowMs() - startedAtMs) / 1_000) * perSecond));
    while (calls.length < due)
      calls.push(opened().enqueue(queues[calls.length % queues.length] ?? '', input()));
    await sleep(Math.max(1, 1_000 / perSecond));
  }
  await Promise.all(calls);
  return { cpuUs: cpuUs() };
}

function prepare({ id, queues, concurrency, handlerMs }: WorkOptions): void {
  progress = { ...NOTHING };
  tell({ type: 'progress', progress });
  worker = createWorker(opened(), {
    workerId: id,
    queues: Object.fromEntries(queues.map((queue) => [queue, 1])),
    concurrency,
    handlers: [
      defineHandler({
        type: JOB_TYPE,
        schema,
        run: () => (handlerMs === 0 ? undefined : sleep(handlerMs)),
      }),
    ],
    onEvent(event) {
      if (event.type === 'completed') {
        progress.done += 1;
        progress.lastDoneAtMs = nowMs();
      } else if (event.type === 'trouble') tellTrouble(event.error);
      else if (['failed', 'stale', 'gave-up', 'lease-lost'].includes(event.type))
        tellTrouble(new Error(`A job ended as ${event.type}.`));
    },
  });
}

function go(): number {
  let told = 0;
  timer = setInterval(() => {
    if (told === progress.done) return;
    told = progress.done;
    tell({ type: 'progress', progress });
  }, TELL_EVERY_MS);
  cpu = process.cpuUsage();
  worker?.start();
  return nowMs();
}

async function finish() {
  await worker?.stop();
  worker = null;
  clearInterval(timer);
  return { cpuUs: cpuUs(), done: progress.done };
}

serve({
  open({ url }: { url: string }) {
    broker = createBroker({ url });
    return broker.ready().then(() => undefined);
  },
  /** Jobs through another queue: what is measured is a process that has been up for a while. */
  async warmUp({ jobs, payloadBytes }: { jobs: number; payloadBytes: number }) {
    const queues = [`warm-${process.pid}`];
    await addSingly({ queues, count: jobs, payloadBytes, inFlight: 100 });
    prepare({ id: `warm-${process.pid}`, queues, concurrency: 100, handlerMs: 0 });
    go();
    while (progress.done < jobs) await sleep(5);
    await finish();
  },
  async shard({ queue, count }: { queue: string; count: number }) {
    await opened().sharding.set(queue, { count, by: 'id' }, { actor: 'bench', reason: 'a benchmark' });
  },
  addSingly,
  addInBulk,
  addAtRate,
  prepare,
  go,
  finish,
  /** Jobs that wait or run, and by how much the queues' books are wrong. */
  async books({ queues }: { queues: readonly string[] }) {
    const sum = { waiting: 0, wrong: 0 };
    for (let from = 0; from < queues.length; from += SNAPSHOT_QUEUES) {
      const readings = await opened().inspect.snapshot(queues.slice(from, from + SNAPSHOT_QUEUES));
      for (const { counts, ledger } of readings) {
        const { completed: _, ...others } = counts;
        sum.waiting += Object.values(others).reduce((total, count) => total + count, 0);
        sum.wrong += Math.abs(ledger.difference);
      }
    }
    return sum;
  },
  async close() {
    broker?.close();
  },
});
