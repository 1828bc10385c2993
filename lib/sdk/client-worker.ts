/** A worker, on whatever connection the application has: a client's, a broker's, or one of its own. */
import { type BrokerOptions, createBroker } from '@/lib/broker/application';
import {
  createWorker as createWorkerOn,
  type Worker,
  type WorkerBroker,
  type WorkerOptions,
} from '@/lib/worker';
import type { Client } from './create-client';

/** A worker that opens a connection of its own, and closes it when it has drained. */
export type WorkerWithConnection = WorkerOptions &
  Pick<BrokerOptions, 'url' | 'urlFile' | 'redis' | 'tls' | 'credentials' | 'prefix' | 'allowEviction'>;

/**
 * @example const worker = createWorker(client, { queues: { billing: 1 }, concurrency: 10, handlers: [sendInvoice] });
 *          worker.start();
 *          stopOnSignals(worker);
 * @throws RedriveError VALIDATION naming every option that is wrong
 */
export function createWorker(on: Client | WorkerBroker, options: WorkerOptions): Worker;
/**
 * @example const worker = createWorker({ url: 'redis://127.0.0.1:6379', queues: { billing: 1 }, concurrency: 10, handlers });
 * @throws RedriveError VALIDATION naming every option that is wrong
 */
export function createWorker(options: WorkerWithConnection): Worker;
export function createWorker(
  ...given: [Client | WorkerBroker, WorkerOptions] | [WorkerWithConnection]
): Worker {
  if (given.length === 2) {
    const [on, options] = given;
    return createWorkerOn('broker' in on ? on.broker : on, options);
  }
  const { url, urlFile, redis, tls, credentials, prefix, allowEviction, ...options } = given[0];
  const broker = createBroker({ url, urlFile, redis, tls, credentials, prefix, allowEviction });
  const worker = createWorkerOn(broker, options);
  void worker.drained.then(() => broker.close());
  return worker;
}
