/**
 * For the transcript: a worker as a process of its own. Arguments: Redis, its id, a file that exists while the mail provider is down, and its
 * queues. Mail dies then; an order with `"slow": true` never ends in its first run; a report takes a while.
 */
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { createWorker, defineHandler, RetryableError, stopOnSignals } from '@/lib/worker';
import { createBroker } from '@/testing/create-broker';

const [url = '', workerId = '', outage = '', queues = 'mail,orders'] = process.argv.slice(2);
const REPORT_MS = 250;

const worker = createWorker(createBroker({ url }), {
  queues: Object.fromEntries(queues.split(',').map((queue) => [queue, 1])),
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
    defineHandler({ type: 'report.make', schema: z.unknown(), run: () => wait(REPORT_MS) }),
  ],
});
stopOnSignals(worker);
worker.start();
process.stdout.write(`up ${worker.workerId}\n`);
await worker.drained;
process.exit(0);
