/** Redrive as an application runs it: the broker and the worker runtime with their defaults, and every promise on. */
import { z } from 'zod';
import { createBroker } from '@/lib/broker';
import { createWorker, defineHandler } from '@/lib/worker';
import { bodyOf } from './bench-payload';
import { type BenchJob, JOB_TYPE, MAX_ATTEMPTS, type OpenSide, TENANT } from './bench-side';

const schema = z.object({ n: z.number(), at: z.string(), text: z.string() });

const inputOf = ({ n, at, tenant = TENANT }: BenchJob) => ({
  jobType: JOB_TYPE,
  tenantId: tenant,
  maxAttempts: MAX_ATTEMPTS,
  payload: JSON.stringify(bodyOf(n, at)),
});

export const openOurs: OpenSide = async ({ path, queue, onTrouble }) => {
  const broker = createBroker({ url: path });
  await broker.ready();
  return {
    add: (job) => broker.enqueue(queue, inputOf(job)),
    async addBulk(jobs) {
      const results = await broker.enqueueMany(queue, jobs.map(inputOf));
      const refused = results.find(({ outcome }) => outcome !== 'ready');
      if (refused) throw new Error(`A job was not taken but ${refused.outcome}.`);
    },
    async worker({ id, concurrency, handle, onDone }) {
      const worker = createWorker(broker, {
        workerId: id,
        queues: { [queue]: 1 },
        concurrency,
        handlers: [defineHandler({ type: JOB_TYPE, schema, run: ({ n, at }) => handle(n, at) })],
        onEvent(event) {
          if (event.type === 'completed') onDone(1);
          else if (event.type === 'trouble') onTrouble(event.error);
          else if (['failed', 'stale', 'gave-up', 'lease-lost'].includes(event.type))
            onTrouble(new Error(`A job ended as ${event.type}.`));
        },
      });
      return {
        start: () => worker.start(),
        stop: () => worker.stop(),
      };
    },
    async left() {
      const [reading] = await broker.inspect.snapshot([queue]);
      if (!reading) return { waiting: 0, inFlight: 0 };
      const { ledger, counts } = reading;
      const { completed, 'in-flight': inFlight, ...waiting } = counts;
      void completed;
      return {
        waiting: Object.values(waiting).reduce((sum, count) => sum + count, 0),
        inFlight,
        wrong:
          ledger.difference === 0
            ? undefined
            : `The ledger is off by ${ledger.difference}: ${JSON.stringify(ledger)}.`,
      };
    },
    async close() {
      broker.close();
    },
  };
};
