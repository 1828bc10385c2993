/** Books transfers until it is told to stop. */
import { createClient, createLogger, createWorker, stopOnSignals } from 'redrive';
import { redisLedger } from './ledger-database.js';
import { booksTransfers } from './ledger-handlers.js';
import { QUEUE } from './ledger-jobs.js';

const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';
const client = createClient({ url });
const worker = createWorker(client, {
  queues: { [QUEUE]: 1 },
  concurrency: 8,
  leaseMs: Number(process.env.LEASE_MS ?? 15_000),
  handlers: [booksTransfers(redisLedger(url), Number(process.env.AFTER_MS ?? 20))],
  logger: createLogger({ name: 'bank', level: 'warn' }),
});
stopOnSignals(worker);
worker.start();
console.log('up');
