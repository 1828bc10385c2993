/** How many jobs one script of an operation moves: as many as Redis does in about two milliseconds, so that others wait little. */

export const FIRST_SCRIPT_JOBS = 20;
const LEAST = 10;
export const SCRIPT_JOBS_MAX = 40;
const TARGET_MS = 2;
/** Scripts to judge by. The fastest of them counts: on a busy machine others wait for a processor, whatever their size. */
const WINDOW = 6;

export class ScriptSize {
  readonly #msPerJob: number[] = [];

  get jobs(): number {
    if (this.#msPerJob.length < WINDOW) return FIRST_SCRIPT_JOBS;
    const fitting = Math.floor(TARGET_MS / Math.min(...this.#msPerJob));
    return Math.max(LEAST, Math.min(SCRIPT_JOBS_MAX, fitting));
  }

  /** @param tookMs an upper bound of the time in Redis */
  adapt(jobs: number, tookMs: number): void {
    // What a script costs without jobs would dominate.
    if (jobs < LEAST) return;
    this.#msPerJob.push(tookMs / jobs);
    if (this.#msPerJob.length > WINDOW) this.#msPerJob.shift();
  }
}
