/** Another client, meanwhile: one that does a plain piece of work again and again and notes how long it waited. */
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { quantile } from '../harness/statistics';

const STOP_WITHIN_MS = 10_000;

export interface Probe {
  /** Ends it: how long 99 of 100 calls took at most, in ms. */
  stop(): Promise<number>;
}

/** @param path the socket of Redis */
export function startProbe(path: string): Probe {
  const thread = new Worker(join(import.meta.dirname, 'probe-thread.mjs'), {
    workerData: { path },
    execArgv: [],
  });
  return {
    async stop() {
      thread.postMessage('stop');
      const [tookMs] = (await once(thread, 'message', {
        signal: AbortSignal.timeout(STOP_WITHIN_MS),
      })) as [number[]];
      await thread.terminate();
      return quantile(tookMs, 0.99);
    },
  };
}
