/**
 * One client process: enqueues a job of some priority, claims the first in line, acknowledges it, and does that again, some
 * loops side by side. Each of the three is one operation of one job.
 */
import { type Broker, createBroker } from '@/testing/create-broker';
import { nowMs, serve } from '../harness/bench-child';
import { bodyOf } from '../sides/bench-payload';
import { JOB_TYPE } from '../sides/bench-side';

export const OPERATIONS = ['enqueue', 'claim', 'ack'] as const;
export type Operation = (typeof OPERATIONS)[number];
/** How long each operation of the measured time took, in µs. */
export type Latencies = Record<Operation, number[]>;

const PRIORITIES = 10;
const PER_CALL = 1_000;

let broker: Broker | null = null;
const opened = (): Broker => {
  if (!broker) throw new Error('open comes first.');
  return broker;
};
const inputOf = (n: number) => ({
  jobType: JOB_TYPE,
  priority: n % PRIORITIES,
  payload: JSON.stringify(bodyOf(n)),
});

interface Loops {
  queue: string;
  worker: string;
  loops: number;
  /** Measured from here … */
  fromMs: number;
  /** … until here; both by the clock of the machine. */
  untilMs: number;
}

async function run({ queue, worker, loops, fromMs, untilMs }: Loops): Promise<Latencies> {
  const took: Latencies = { enqueue: [], claim: [], ack: [] };
  let n = process.pid;
  const timed = async <T>(operation: Operation, call: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const value = await call();
    const end = performance.now();
    const endedAtMs = performance.timeOrigin + end;
    if (endedAtMs >= fromMs && endedAtMs < untilMs) took[operation].push(Math.round((end - start) * 1_000));
    return value;
  };
  const loop = async () => {
    while (nowMs() < untilMs) {
      await timed('enqueue', () => opened().enqueue(queue, inputOf(n++)));
      const { jobs } = await timed('claim', () => opened().claim(queue, { worker, count: 1 }));
      const [job] = jobs;
      // There is always one: every loop has put in one more than it took out.
      if (!job) throw new Error('There was nothing to claim.');
      const [outcome] = await timed('ack', () =>
        opened().ack(queue, [{ jobId: job.jobId, token: job.token }]),
      );
      if (outcome !== 'completed') throw new Error(`An acknowledgement was answered ${outcome}.`);
    }
  };
  await Promise.all(Array.from({ length: loops }, loop));
  return took;
}

serve({
  async open({ path }: { path: string }) {
    broker = createBroker({ url: path });
    await broker.ready();
  },
  async backlog({ queue, count }: { queue: string; count: number }) {
    for (let from = 0; from < count; from += PER_CALL) {
      const size = Math.min(PER_CALL, count - from);
      await opened().enqueueMany(
        queue,
        Array.from({ length: size }, (_, i) => inputOf(from + i)),
      );
    }
  },
  run,
  /** What the queue says of itself afterwards. */
  async books({ queue }: { queue: string }) {
    const [reading] = await opened().inspect.snapshot([queue]);
    if (!reading) throw new Error('The queue cannot be read.');
    const { counts, ledger } = reading;
    return { ready: counts.ready, inFlight: counts['in-flight'], difference: ledger.difference };
  },
  close: () => opened().close(),
});
