/**
 * For the tests: a worker of one release as a process of its own. Arguments: Redis, queue, number of the release. Release n knows the job
 * types `added-1` to `added-n`, and its orders may have the fields `field1` to `fieldn`.
 */
import { z } from 'zod';
import { createBroker } from '@/lib/broker/application';
import { createWorker } from '../create-worker';
import { defineHandler } from '../run/handler';
import { stopOnSignals } from '../stop-on-signals';

const [url, queue = '', release = '1'] = process.argv.slice(2);
const numbers = Array.from({ length: Number(release) }, (_, i) => i + 1);
const fields = Object.fromEntries(numbers.map((n) => [`field${n}`, z.number().optional()]));
const run = () => `by release ${release}`;
const worker = createWorker(createBroker({ url }), {
  queues: { [queue]: 1 },
  concurrency: 10,
  version: release,
  schedules: false,
  handlers: [
    ...numbers.map((n) => defineHandler({ type: `added-${n}`, schema: z.unknown(), run })),
    defineHandler({ type: 'order', schema: z.strictObject(fields), run }),
  ],
});
stopOnSignals(worker);
worker.start();
process.stdout.write(`up ${worker.workerId}\n`);
await worker.drained;
process.exit(0);
