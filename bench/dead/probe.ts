/** Another client, meanwhile: one that does a plain piece of work again and again and notes how long it waited. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { quantile } from '../harness/statistics';

const EVERY_MS = 2;

export interface Probe {
  /** Ends it: how long 99 of 100 calls took at most, in ms. */
  stop(): Promise<number>;
}

export function startProbe(redis: Redis): Probe {
  const tookMs: number[] = [];
  let stopped = false;
  const run = (async () => {
    while (!stopped) {
      const startMs = performance.now();
      await redis.ping();
      tookMs.push(performance.now() - startMs);
      await sleep(EVERY_MS);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await run;
      return quantile(tookMs, 0.99);
    },
  };
}
