/** How many jobs one script of an operation moves: as many as Redis can do in about two milliseconds, so that others wait little. */

export const FIRST_SCRIPT_JOBS = 20;
const LEAST = 10;
export const SCRIPT_JOBS_MAX = 40;
const STEP = 5;
/** Faster scripts may become larger, slower ones become smaller. */
const FAST_MS = 1.5;
const SLOW_MS = 3.5;

export class ScriptSize {
  #jobs = FIRST_SCRIPT_JOBS;

  get jobs(): number {
    return this.#jobs;
  }

  /** @param tookMs an upper bound of the time in Redis */
  adapt(jobs: number, tookMs: number): void {
    if (tookMs > SLOW_MS) this.#jobs = Math.max(LEAST, Math.floor(this.#jobs / 2));
    // A part of a chunk says little about larger ones.
    else if (tookMs < FAST_MS && jobs >= this.#jobs)
      this.#jobs = Math.min(SCRIPT_JOBS_MAX, this.#jobs + STEP);
  }
}
