/**
 * For the tests: a worker as a process of its own. Arguments: Redis, queue, what its handler does, its lease in ms, and a file
 * in which it leaves the time whenever it does something worth knowing.
 */
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { createBroker } from '@/lib/broker/application';
import { createWorker } from './create-worker';
import { defineHandler, type HandlerContext } from './run/handler';
import { stopOnSignals } from './stop-on-signals';

const [url, queue = '', what = 'finish', leaseMs = '1000', file = ''] = process.argv.slice(2);
const say = (word: string) => process.stdout.write(`${word}\n`);
const note = () => file && writeFileSync(file, String(Date.now()));
const never = () => new Promise<never>(() => undefined);
/** As a crash ends a process: no cleanup, no goodbye. */
const die = () => process.kill(process.pid, 'SIGKILL');

const HANDLERS: Record<string, (ctx: HandlerContext) => unknown> = {
  finish: () => 'finished by the process',
  /** Dies as soon as it has a job. */
  crash: die,
  /** Dies in the middle of work that must not be done twice. */
  'crash-in-once': ({ once }) =>
    once(
      'the work',
      async () => {
        say('working');
        die();
        return never();
      },
      // Still held when its job has come back.
      { leaseMs: 5_000 },
    ),
  /** Ends when the test says so. */
  patient: () => new Promise<void>((resolve) => process.once('SIGUSR2', () => resolve())),
  /** Knows of no signal, and never ends: as long as it runs, it says so. */
  stubborn: () => {
    setInterval(note, 1);
    return never();
  },
};

const worker = createWorker(createBroker({ url }), {
  queues: { [queue]: 1 },
  concurrency: 1,
  leaseMs: Number(leaseMs),
  drainMs: what === 'patient' ? 60_000 : 300,
  abortGraceMs: 300,
  retry: { baseMs: 1, factor: 1, maxMs: 1, jitter: 0 },
  onEvent: ({ type }) => void (type === 'completed' && note()),
  handlers: [
    defineHandler({
      type: 'demo.run',
      schema: z.unknown(),
      run: (_, ctx) => {
        say(`started ${ctx.job.jobId}`);
        return HANDLERS[what]?.(ctx);
      },
    }),
  ],
});
process.on('SIGINT', () => say('interrupted'));
stopOnSignals(worker);
worker.start();
say(`up ${worker.workerId}`);
await worker.drained;
say('drained');
process.exit(0);
