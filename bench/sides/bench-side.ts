/** What every queue under measurement can do, whatever library is behind it. */
import type { PieceChoice } from '../ablation/pieces';

export const SIDES = ['ours', 'bullmq', 'beeQueue', 'design', 'lean'] as const;
export type SideName = (typeof SIDES)[number];

export const JOB_TYPE = 'email.send';
export const TENANT = 'acme';
/** What the job itself may say about retries. The peers call it attempts or retries; all store it with the job. */
export const MAX_ATTEMPTS = 8;

export interface BenchJob {
  /** Its number: every one must run exactly once. */
  readonly n: number;
  /** When it was sent, in ns of the machine's monotonic clock, which all processes share. */
  readonly at?: string;
  readonly tenant?: string;
}

export interface BenchWorkerOptions {
  readonly id: string;
  readonly concurrency: number;
  /** The job's work. Nothing at all for most measures. */
  handle(n: number, at: string): void | Promise<void>;
  /** The queue knows that the job is done: its acknowledgement was answered. */
  onDone(jobs: number): void;
}

/** Connected, but not started: what it takes to connect is not what is measured. */
export interface BenchWorker {
  start(): void;
  stop(): Promise<void>;
}

export interface Left {
  waiting: number;
  inFlight: number;
  /** Whatever else is wrong with the queue's own books, as a sentence. */
  wrong?: string;
}

export interface Side {
  add(job: BenchJob): Promise<unknown>;
  addBulk(jobs: readonly BenchJob[]): Promise<unknown>;
  worker(options: BenchWorkerOptions): Promise<BenchWorker>;
  /** What is not done yet. */
  left(): Promise<Left>;
  close(): Promise<void>;
}

export interface SideOptions {
  /** The unix socket of this side's own Redis. */
  readonly path: string;
  readonly queue: string;
  /** Of the design: what is added to it. Default: what `npm run bench` compares. */
  readonly choice?: PieceChoice;
  /** Something went wrong where no caller waits. */
  onTrouble(error: unknown): void;
}
export type OpenSide = (options: SideOptions) => Promise<Side>;
