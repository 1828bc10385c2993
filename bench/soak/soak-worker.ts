/** A worker process of the soak. Bundled, and started with --expose-gc, so that what it really holds can be seen. */
import { z } from 'zod';
import {
  createWorker,
  defineHandler,
  type HandlerContext,
  PermanentError,
  RateLimitedError,
  RetryableError,
  type Worker,
} from '@/lib/worker';
import { createBroker } from '@/testing/create-broker';
import { serve, tellTrouble } from '../harness/bench-child';
import { type Heap, heapNow } from './heap-size';
import { CODES, kindOf, QUEUE, TYPES } from './soak-plan';

let worker: Worker | null = null;
/** What should be rare on a machine that is not overloaded. It is reported, for whoever wonders about the times. */
const odd: Record<string, number> = {};

const schema = z.object({ n: z.number(), text: z.string() });

async function run({ n }: z.output<typeof schema>, ctx: HandlerContext): Promise<unknown> {
  switch (kindOf(n)) {
    case 'flaky':
      if (ctx.attempt <= 1 + (n % 2)) throw new RetryableError(`FLAKY_${n % CODES}`, 'not yet');
      break;
    case 'busy':
      if (ctx.attempt === 1) throw new RateLimitedError(300);
      break;
    case 'doomed':
      // The second time somebody has mended what was wrong, and re-driven it.
      if (ctx.delivery === 1) throw new PermanentError(`DOOMED_${n % CODES}`, 'there is no such thing');
      break;
    case 'exhausted':
      throw new RetryableError('EXHAUSTED', 'not this time either');
    case 'once':
      return (await ctx.once(`work-${n % 1_000}`, () => ({ n }), { ttlMs: 2_000, leaseMs: 5_000 })).reused;
    default:
  }
  return n % 4 === 0 ? { n } : undefined;
}

serve({
  open({ path, id, concurrency }: { path: string; id: string; concurrency: number }) {
    const broker = createBroker({ url: path });
    worker = createWorker(broker, {
      workerId: id,
      queues: { [QUEUE]: 1 },
      concurrency,
      schedules: false,
      retry: { baseMs: 50, factor: 2, maxMs: 1_000, jitter: 0.5 },
      handlers: TYPES.map((type) => defineHandler({ type, schema, run })),
      onEvent(event) {
        if (event.type === 'trouble') tellTrouble(event.error);
        else if (event.type === 'stale' || event.type === 'gave-up' || event.type === 'lease-lost')
          odd[event.type] = (odd[event.type] ?? 0) + 1;
      },
    });
    worker.start();
  },
  /** What it holds once all garbage is gone. */
  heap: (): Promise<Heap> => heapNow(),
  async close() {
    await worker?.stop();
    return odd;
  },
});
