/** Redrive as an application runs it: the broker and the worker runtime with their defaults, and every promise on. */
import { z } from 'zod';
import { createWorker, defineHandler } from '@/lib/worker';
import { createBroker } from '@/testing/create-broker';
import type { PieceName } from '../ablation/pieces';
import { bodyOf } from './bench-payload';
import { type BenchJob, JOB_TYPE, MAX_ATTEMPTS, type OpenSide, TENANT } from './bench-side';
import { registerTracer } from './quiet-tracer';

const schema = z.object({ n: z.number(), at: z.string(), text: z.string() });

/** Limits that no bench reaches: what they cost is what is measured. */
const LIMITS = {
  depthLimit: 100_000_000,
  concurrency: 10_000,
  rate: { perSecond: 1_000_000, burst: 1_000_000 },
  tenantLimit: { rate: null, concurrency: 10_000 },
};
const UNIQUE_MS = 600_000;

let keysMade = 0;
const uniqueKey = () => ({
  unique: { key: `key-${process.pid}-${keysMade++}`, scope: 'done' as const, ttlMs: UNIQUE_MS },
});
const inputOf = ({ n, at, tenant = TENANT }: BenchJob, isUnique: boolean) => ({
  jobType: JOB_TYPE,
  tenantId: tenant,
  maxAttempts: MAX_ATTEMPTS,
  payload: JSON.stringify(bodyOf(n, at)),
  ...(isUnique && uniqueKey()),
});

export const openOurs: OpenSide = async ({ path, queue, choice, onTrouble }) => {
  const broker = createBroker({ url: path });
  await broker.ready();
  const uses = (piece: PieceName) => choice?.inUse.includes(piece) ?? false;
  const patch = { ...(uses('limits') && LIMITS), ...(uses('fairness') && { fair: 'tenant' as const }) };
  if (Object.keys(patch).length > 0)
    await broker.config.change(queue, patch, { actor: 'bench', reason: 'a benchmark' });
  if (uses('tracing')) registerTracer();
  const isUnique = uses('unique');
  const breaker = uses('breaker') ? {} : undefined;
  return {
    add: (job) => broker.enqueue(queue, inputOf(job, isUnique)),
    async addBulk(jobs) {
      const results = await broker.enqueueMany(
        queue,
        jobs.map((job) => inputOf(job, isUnique)),
      );
      const refused = results.find(({ outcome }) => outcome !== 'ready');
      if (refused) throw new Error(`A job was not taken but ${refused.outcome}.`);
    },
    async worker({ id, concurrency, handle, onDone }) {
      const worker = createWorker(broker, {
        workerId: id,
        queues: { [queue]: 1 },
        concurrency,
        handlers: [defineHandler({ type: JOB_TYPE, schema, breaker, run: ({ n, at }) => handle(n, at) })],
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
