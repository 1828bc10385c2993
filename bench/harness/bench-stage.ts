/** Where one side of one round is measured: its own Redis and its own processes, all gone afterwards, whatever failed. */
import type { PieceChoice } from '../ablation/pieces';
import type { SideName } from '../sides/bench-side';
import type { Ran } from '../sides/run-tally';
import { type BenchProcess, startProcess } from './bench-process';
import { type BenchServer, startServer } from './bench-server';
import type { Profiler } from './cpu-profile';

export const QUEUE = 'bench';

export interface StageOptions {
  readonly side: SideName;
  /** Of the design: what is added to it. */
  readonly choice?: PieceChoice;
  /** The bundle every process under measurement runs. */
  readonly file: string;
  /** Looks into every phase that is measured; null: nothing but the measuring itself takes place. */
  readonly profiler: Profiler | null;
}

/** What one phase of a measure took. */
export interface Phase<T> {
  value: T;
  /** Processor time of Redis, in µs. */
  redisUs: number;
}

export interface Stage {
  readonly side: SideName;
  /** To open another like it. */
  readonly options: StageOptions;
  readonly server: BenchServer;
  /** Runs what is measured, and reads what it cost Redis. */
  phase<T>(name: string, work: () => Promise<T>): Promise<Phase<T>>;
  /** A process with the side opened in it. `warm`: it has run jobs before, as one that has been up for a while. */
  process(role: string, options?: { warm?: boolean }): Promise<BenchProcess>;
  /** Fails when jobs are left, or when the queue's own books are wrong. */
  checkEmpty(process: BenchProcess): Promise<void>;
}

export async function onStage<T>(options: StageOptions, work: (stage: Stage) => Promise<T>): Promise<T> {
  const { side, choice, file, profiler } = options;
  const server = await startServer();
  const processes: BenchProcess[] = [];
  const stage: Stage = {
    side,
    options,
    server,
    async phase(name, work) {
      await profiler?.start(server.redis, processes);
      const atStartUs = await server.cpuUs();
      const value = await work();
      const redisUs = (await server.cpuUs()) - atStartUs;
      await profiler?.stop(name, server.redis, processes);
      return { value, redisUs };
    },
    async process(role, { warm = true } = {}) {
      const process = await startProcess(`${side} ${role}`, file);
      processes.push(process);
      await process.ask('open', { name: side, path: server.path, queue: QUEUE, choice, warm });
      return process;
    },
    async checkEmpty(process) {
      const { waiting, inFlight, wrong } = await process.ask<{
        waiting: number;
        inFlight: number;
        wrong?: string;
      }>('left');
      if (waiting + inFlight > 0)
        throw new Error(`${side} left ${waiting} jobs waiting and ${inFlight} in flight.`);
      if (wrong !== undefined) throw new Error(`${side}: ${wrong}`);
    },
  };
  try {
    const result = await work(stage);
    for (const process of processes) {
      const trouble = process.trouble();
      if (trouble !== null) throw new Error(`${process.name}: ${trouble}`);
    }
    return result;
  } finally {
    await Promise.all(
      processes.map(async (process) => {
        await process.ask('close', {}, 10_000).catch(() => undefined);
        await process.leave();
      }),
    );
    await server.stop();
  }
}

/** Every job ran once, no more and no less: added up over the processes that ran them. */
export function checkRuns(side: SideName, total: number, all: readonly Ran[]): void {
  const runs = new Uint16Array(total);
  for (const { runs: text } of all) {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length !== total) throw new Error(`${side} ran jobs that were never sent.`);
    for (let n = 0; n < total; n++) runs[n] = (runs[n] ?? 0) + (bytes[n] ?? 0);
  }
  const lost = runs.filter((times) => times === 0).length;
  const again = runs.filter((times) => times > 1).length;
  if (lost + again > 0)
    throw new Error(`${side} did not run ${lost} of ${total} jobs, and ran ${again} more than once.`);
}
