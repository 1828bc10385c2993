/**
 * For the transcript: a worker as a process of its own. Arguments: Redis, its id, and a file that exists while the mail provider is down.
 * Mail dies then; an order with `"slow": true` never ends in its first run.
 */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { createBroker } from '@/lib/broker';
import { createWorker, defineHandler, RetryableError, stopOnSignals } from '@/lib/worker';

const [url = '', workerId = '', outage = ''] = process.argv.slice(2);

const worker = createWorker(createBroker({ url }), {
  queues: { mail: 1, orders: 1 },
  concurrency: 4,
  leaseMs: 2_000,
  workerId,
  host: 'host-1',
  handlers: [
    defineHandler({
      type: 'mail.send',
      schema: z.object({ to: z.string() }),
      run: () => {
        if (existsSync(outage)) throw new RetryableError('HTTP_503', 'the mail provider is away');
      },
    }),
    defineHandler({
      type: 'order.pay',
      schema: z.object({ order: z.number(), slow: z.boolean().optional() }),
      run: ({ slow }, { delivery }) =>
        slow && delivery === 1 ? new Promise<never>(() => undefined) : undefined,
    }),
  ],
});
stopOnSignals(worker);
worker.start();
process.stdout.write(`up ${worker.workerId}\n`);
await worker.drained;
process.exit(0);
