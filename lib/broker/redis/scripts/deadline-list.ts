/** One timer for all calls that have the same deadline: a timer for each would cost more than the call. */

/** So many may be in the list before settled ones are taken out of it. */
const DROP_FROM = 32;

/** A call with a deadline, such as a command of ioredis. */
export interface Limited {
  readonly isSettled: boolean;
  /** At the deadline. */
  reject(error: Error): void;
}

/** Calls that wait equally long, so by the time they are due. Settled ones are taken out wherever they are: one server may not answer while others do. */
export class DeadlineList {
  #waiting: { readonly call: Limited; readonly dueMs: number }[] = [];
  #dropAt = DROP_FROM;
  #timer: NodeJS.Timeout | undefined;

  constructor(readonly ms: number) {}

  /** Calls it keeps, settled ones among them. */
  get size(): number {
    return this.#waiting.length;
  }
  add(call: Limited): void {
    if (this.#waiting.length >= this.#dropAt) this.#dropSettled();
    this.#waiting.push({ call, dueMs: performance.now() + this.ms });
    if (!this.#timer) this.#wait(this.ms);
  }
  /** Each time twice as many as are left: a call pays for two looks at most. */
  #dropSettled(): void {
    this.#waiting = this.#waiting.filter(({ call }) => !call.isSettled);
    this.#dropAt = Math.max(DROP_FROM, 2 * this.#waiting.length);
  }
  #wait(ms: number): void {
    // The connection keeps the process alive for as long as an answer is due.
    this.#timer = setTimeout(() => this.#rejectLate(), ms).unref();
  }
  #rejectLate(): void {
    this.#timer = undefined;
    this.#dropSettled();
    const nowMs = performance.now();
    const firstInTime = this.#waiting.findIndex(({ dueMs }) => dueMs > nowMs);
    const late = this.#waiting.splice(0, firstInTime < 0 ? this.#waiting.length : firstInTime);
    const [next] = this.#waiting;
    if (next) this.#wait(Math.ceil(next.dueMs - nowMs));
    // Last: what they do then may add calls.
    for (const { call } of late) call.reject(new Error('Command timed out'));
  }
}
