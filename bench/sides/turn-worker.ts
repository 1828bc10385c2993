/** The worker of lean and of the design: at most two calls under way, each acknowledging what is done and filling the free slots. */
import type { BenchWorker, BenchWorkerOptions } from './bench-side';

const TURN_MAX_JOBS = 200;
const CALLS_MAX = 2;

export interface TurnReply {
  acknowledged: number;
  ids: string[];
  rows: string[];
  /** Of each job where they differ; else all have the token of the call. */
  tokens?: readonly string[];
}
export interface TurnCalls {
  /** @param done id and token of each job in turn */
  turn(want: number, token: string, done: readonly string[]): Promise<TurnReply>;
  waiter(): { wait(): Promise<unknown>; close(): void };
  /** Runs one job: one promise, its handler's, if that has one. */
  run(row: string, id: string): void | Promise<void>;
}

interface Options extends Pick<BenchWorkerOptions, 'concurrency' | 'onDone'> {
  /** Makes tokens unlike those of any other process. */
  readonly prefix: string;
  onTrouble(error: unknown): void;
}

export function createTurnWorker(calls: TurnCalls, options: Options): BenchWorker {
  const { concurrency, onDone, onTrouble, prefix } = options;
  const waiter = calls.waiter();
  let free = concurrency;
  const done: string[] = [];
  let turns = 0;
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
    await calls.run(row, id);
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
    const token = `${prefix}.${(turns++).toString(36)}`;
    const { acknowledged, ids, rows, tokens } = await calls.turn(want, token, acks);
    underWay -= 1;
    free += want - ids.length;
    if (acknowledged !== acks.length / 2) onTrouble(new Error('An acknowledgement came too late.'));
    if (acknowledged > 0) onDone(acknowledged);
    for (const [i, id] of ids.entries()) void work(id, rows[i] ?? '', tokens?.[i] ?? token).catch(onTrouble);
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
