/** Counts what a worker process does, cheaply: it must not cost more than the jobs. */
import { nowMs, type Progress } from '../harness/bench-child';

export interface Ran {
  /** How often each job ran, by its number, as base64: one byte a job. */
  runs: string;
  /** Processor time from the start to the last job done, to 20 ms. */
  cpuUs: number;
  /** For jobs that carry the time they were sent at: how long until their handler ran, in µs, in order. */
  pickupsUs: number[];
}

const TELL_EVERY_MS = 20;

export class Tally {
  #runs = new Uint8Array(0);
  #pickupsUs: number[] = [];
  #cpu = process.cpuUsage();
  #cpuUs = 0;
  #progress: Progress = { started: 0, lastStartedAtMs: 0, done: 0, lastDoneAtMs: 0 };
  #timer: NodeJS.Timeout | undefined;
  #told = -1;

  constructor(private readonly tell: (progress: Progress) => void) {}

  begin(total: number): void {
    this.#runs = new Uint8Array(total);
    this.#cpu = process.cpuUsage();
    this.#timer = setInterval(() => this.#tellNews(), TELL_EVERY_MS);
  }

  started(n: number, at: string): void {
    const progress = this.#progress;
    progress.started += 1;
    progress.lastStartedAtMs = nowMs();
    if (at !== '0') this.#pickupsUs.push(Number(process.hrtime.bigint() - BigInt(at)) / 1_000);
    this.#runs[n] = Math.min(255, (this.#runs[n] ?? 0) + 1);
  }

  done(jobs: number): void {
    this.#progress.done += jobs;
    this.#progress.lastDoneAtMs = nowMs();
  }

  #tellNews(): void {
    const { started, done } = this.#progress;
    if (this.#told === started + done) return;
    this.#told = started + done;
    const { user, system } = process.cpuUsage(this.#cpu);
    this.#cpuUs = user + system;
    this.tell(this.#progress);
  }

  end(): Ran {
    clearInterval(this.#timer);
    return {
      runs: Buffer.from(this.#runs).toString('base64'),
      cpuUs: this.#cpuUs,
      pickupsUs: this.#pickupsUs,
    };
  }
}
