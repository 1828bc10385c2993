/** What a process really holds: after a collection, and with what lives outside the heap. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Heap {
  /** On the heap, and in buffers beside it. */
  heldBytes: number;
  rssBytes: number;
}

/** Garbage of sockets and timers is free one turn of the loop later, hence the rounds. */
const ROUNDS = 4;

export async function heapNow(): Promise<Heap> {
  const collect = collector();
  for (let round = 0; round < ROUNDS; round++) {
    collect();
    await sleep(10);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heldBytes: heapUsed + external, rssBytes: rss };
}

/** Worker processes are started with --expose-gc; a test runner is not, and gets it here. */
function collector(): () => void {
  if (globalThis.gc) return globalThis.gc as () => void;
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
