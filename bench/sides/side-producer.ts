/** Enqueues jobs in the ways that are measured. */
import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs } from '../harness/bench-child';
import { clockNs } from './bench-payload';
import type { Side } from './bench-side';

export interface Timed {
  tookMs: number;
  cpuUs: number;
}

async function timed(work: () => Promise<unknown>): Promise<Timed> {
  const cpu = process.cpuUsage();
  const startedAtMs = nowMs();
  await work();
  const tookMs = nowMs() - startedAtMs;
  const { user, system } = process.cpuUsage(cpu);
  return { tookMs, cpuUs: user + system };
}

/** One by one, `inFlight` at a time: a new one is sent as soon as an old one is answered. */
export const addSingly = (side: Side, count: number, inFlight: number, tenant?: string): Promise<Timed> =>
  timed(async () => {
    let next = 0;
    const sender = async () => {
      while (next < count) await side.add({ n: next++, tenant });
    };
    await Promise.all(Array.from({ length: inFlight }, sender));
  });

/** Call after call, each with `perCall` jobs. */
export const addInBulk = (side: Side, count: number, perCall: number, tenant?: string): Promise<Timed> =>
  timed(async () => {
    for (let from = 0; from < count; from += perCall) {
      const size = Math.min(perCall, count - from);
      await side.addBulk(Array.from({ length: size }, (_, i) => ({ n: from + i, tenant })));
    }
  });

/** One now and then, each with the time it was sent at, into a queue that has fallen idle again. */
export const addSparsely = (side: Side, count: number, gapMs: number): Promise<Timed> =>
  timed(async () => {
    for (let n = 0; n < count; n++) {
      await side.add({ n, at: clockNs() });
      await sleep(gapMs);
    }
  });
