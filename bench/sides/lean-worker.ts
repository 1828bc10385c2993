/** The worker of the lean side: at most two calls under way, each acknowledging what is done and filling the free slots. */
import type { BenchWorker, BenchWorkerOptions } from './bench-side';

const TURN_MAX_JOBS = 200;
const CALLS_MAX = 2;

export interface LeanCalls {
  turn(
    want: number,
    token: string,
    done: readonly string[],
  ): Promise<{ acknowledged: number; ids: string[]; rows: string[] }>;
  waiter(): Promise<{ wait(): Promise<unknown>; close(): void }>;
}

interface Options extends BenchWorkerOptions {
  /** Makes tokens unlike those of any other process. */
  readonly run: string;
  onTrouble(error: unknown): void;
}

export async function createLeanWorker(calls: LeanCalls, options: Options): Promise<BenchWorker> {
  const { concurrency, handle, onDone, onTrouble, run } = options;
  const waiter = await calls.waiter();
  let free = concurrency;
  const done: string[] = [];
  let tokens = 0;
  let underWay = 0;
  let asked = false;
  let idle = false;
  let stopping = false;
  let markStopped: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    markStopped = resolve;
  });

  function kick(): void {
    if (asked) return;
    asked = true;
    setImmediate(() => void turn().catch(onTrouble));
  }

  async function work(id: string, row: string, token: string): Promise<void> {
    const { n, at } = JSON.parse(row.slice(row.indexOf('\n') + 1)) as { n: number; at: string };
    await handle(n, at);
    done.push(id, token);
    free += 1;
    kick();
  }

  async function turn(): Promise<void> {
    asked = false;
    if (underWay >= CALLS_MAX) return;
    const want = idle || stopping ? 0 : Math.min(free, TURN_MAX_JOBS);
    const acks = done.splice(0, 2 * TURN_MAX_JOBS);
    if (want === 0 && acks.length === 0) {
      if (stopping && underWay === 0 && free === concurrency) markStopped();
      return;
    }
    free -= want;
    underWay += 1;
    const token = `${run}.${(tokens++).toString(36)}`;
    const { acknowledged, ids, rows } = await calls.turn(want, token, acks);
    underWay -= 1;
    free += want - ids.length;
    if (acknowledged !== acks.length / 2) onTrouble(new Error('An acknowledgement came too late.'));
    if (acknowledged > 0) onDone(acknowledged);
    for (const [i, id] of ids.entries()) void work(id, rows[i] ?? '', token).catch(onTrouble);
    if (want > 0 && ids.length === 0 && !idle && !stopping) rest();
    else kick();
  }

  function rest(): void {
    idle = true;
    const over = () => {
      idle = false;
      if (!stopping) kick();
    };
    waiter.wait().then(over, over);
  }

  return {
    start: kick,
    async stop() {
      stopping = true;
      kick();
      await stopped;
      waiter.close();
    },
  };
}
