/**
 * The part of the peers' interfaces that is used. They are installed in bench/ only, and only when the bench runs, so their
 * own types cannot be relied on.
 */
import { createRequire } from 'node:module';

export interface BullJob {
  readonly data: { n: number; at: string };
}
export interface BullQueue {
  waitUntilReady(): Promise<unknown>;
  add(name: string, data: object, options: object): Promise<unknown>;
  addBulk(jobs: { name: string; data: object; opts: object }[]): Promise<unknown>;
  getJobCounts(): Promise<Record<string, number>>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}
export interface BullWorker {
  waitUntilReady(): Promise<unknown>;
  run(): Promise<void>;
  on(event: 'completed', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'failed', listener: (job: unknown, error: Error) => void): unknown;
  close(): Promise<void>;
}
export interface BullMq {
  Queue: new (name: string, options: object) => BullQueue;
  Worker: new (name: string, run: (job: BullJob) => Promise<void>, options: object) => BullWorker;
}

export interface BeeJob {
  readonly data: { n: number; at: string };
  retries(times: number): BeeJob;
  save(): Promise<BeeJob>;
}
export interface BeeQueue {
  ready(): Promise<unknown>;
  createJob(data: object): BeeJob;
  saveAll(jobs: BeeJob[]): Promise<Map<BeeJob, Error>>;
  process(concurrency: number, run: (job: BeeJob) => Promise<void>): void;
  checkStalledJobs(everyMs?: number): Promise<number>;
  checkHealth(): Promise<{ waiting: number; active: number; delayed: number; failed: number }>;
  on(event: 'succeeded', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'failed', listener: (job: unknown, error: Error) => void): unknown;
  close(timeoutMs?: number): Promise<void>;
}
export type Bee = new (name: string, settings: object) => BeeQueue;

/** Looks from the file that runs, which is bundled into a folder of bench/. */
const load = createRequire(import.meta.url);
export const loadBullMq = (): BullMq => load('bullmq');
export const loadBee = (): Bee => load('bee-queue');
