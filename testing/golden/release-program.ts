/**
 * What a release does with a Redis, as one file that stays in the tests: make-golden-program.ts packs it with everything it needs. Later
 * versions run beside it (rolling-update.process.test.ts). The environment is a console's.
 *
 *   node program.mjs worker QUEUE VERSION | producer QUEUE PREFIX COUNT | console
 */
import { z } from 'zod';
import { SCRIPTS } from '@/lib/broker/lua.generated';
import { getAuditCollector } from '@/lib/server/audit/audit-collector';
import { getMaintenanceLoop } from '@/lib/server/background/maintenance-loop';
import { getOperationRunner } from '@/lib/server/background/operation-runner';
import { createWorker, defineHandler, PermanentError, RetryableError, stopOnSignals } from '@/lib/worker';
import { createBroker } from '@/testing/create-broker';

const [mode = '', queue = '', name = '', count = '0'] = process.argv.slice(2);
const say = (words: string) => process.stdout.write(`${words}\n`);
const url = process.env.REDIS_URL ?? '';

/** Of three jobs one fails once and one for good. */
const handler = defineHandler({
  type: 'demo.run',
  schema: z.object({ n: z.number() }),
  run: ({ n }, { attempt }) => {
    if (n % 3 === 1 && attempt === 1) throw new RetryableError('FIRST', 'The first time.');
    if (n % 3 === 2) throw new PermanentError('REFUSED', 'For good.');
    return name;
  },
});

const MODES: Record<string, () => Promise<void> | void> = {
  worker() {
    const worker = createWorker(createBroker({ url }), {
      queues: { [queue]: 1 },
      concurrency: 4,
      leaseMs: 3_000,
      version: name,
      retry: { baseMs: 50, factor: 1, maxMs: 50, jitter: 0 },
      handlers: [handler],
    });
    stopOnSignals(worker);
    worker.start();
    say(`up ${worker.workerId}`);
  },
  async producer() {
    const broker = createBroker({ url });
    for (let n = 0; n < Number(count); n += 10) {
      const batch = Array.from({ length: 10 }, (_, i) => ({
        jobId: `${name}-${n + i}`,
        jobType: 'demo.run',
        payload: JSON.stringify({ n: n + i }),
        tenantId: n % 20 === 0 ? 'acme' : 'globex',
        ...(n % 50 === 0 ? { delayMs: 200 } : {}),
      }));
      await broker.enqueueMany(queue, batch);
    }
    broker.close();
    say(`sent ${count}`);
  },
  /** What a console does without being asked. */
  console() {
    getMaintenanceLoop().start();
    getOperationRunner().start();
    getAuditCollector().start();
    process.once('SIGTERM', () => process.exit(0));
    say('up console');
    // Some of its timers do not keep a process alive: its HTTP server does.
    setInterval(() => undefined, 60_000);
  },
};
say(`heartbeat ${SCRIPTS.heartbeat.sha}`);
await MODES[mode]?.();
