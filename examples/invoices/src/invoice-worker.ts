/** Charges invoices until it is told to stop: `node dist/worker.js`, and SIGTERM. */
import { createClient, createLogger, createWorker, stopOnSignals } from 'redrive';
import { chargesInvoices } from './invoice-handlers.js';
import { QUEUE } from './invoice-jobs.js';
import { fileGateway, moodyMailer } from './invoice-services.js';

const client = createClient({ url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' });
const worker = createWorker(client, {
  queues: { [QUEUE]: 1 },
  concurrency: 5,
  handlers: [chargesInvoices(fileGateway(process.env.CHARGES_FILE ?? 'charges.log'), moodyMailer())],
  retry: { baseMs: 100, factor: 2, maxMs: 10_000, jitter: 0.2 },
  logger: createLogger({ name: 'invoices' }),
  // Together shorter than what the platform grants between SIGTERM and SIGKILL.
  drainMs: 20_000,
  abortGraceMs: 2_000,
});

stopOnSignals(worker, (code) => {
  client.close();
  process.exit(code);
});
worker.start();
