/** One timer for all calls that have the same deadline: a timer for each would cost more than the call. */
import { lateAfterMs, PARTS } from '../connection/patient-timer';

/** So many may be in the list before settled ones are taken out of it. */
const DROP_FROM = 32;

/** A call with a deadline, such as a command of ioredis. */
export interface Limited {
  readonly isSettled: boolean;
  /** At the deadline. */
  reject(error: Error): void;
}

/**
 * Calls that wait equally long, so by the time they are due. Settled ones are taken out wherever they are: one server may not answer while
 * others do. Time in which the event loop stood still counts for no deadline.
 */
export class DeadlineList {
  #waiting: { readonly call: Limited; readonly dueMs: number }[] = [];
  #dropAt = DROP_FROM;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer should come. */
  #plannedMs = 0;
  /** From here to the moment the timer comes, the loop stood. */
  #standsFromMs = 0;
  #stoodMs = 0;
  #lateInARow = 0;

  constructor(readonly ms: number) {}

  /** Calls it keeps, settled ones among them. */
  get size(): number {
    return this.#waiting.length;
  }
  add(call: Limited): void {
    if (this.#waiting.length >= this.#dropAt) this.#dropSettled();
    const dueMs = this.#loopMs(performance.now()) + this.ms;
    this.#waiting.push({ call, dueMs });
    if (!this.#timer) this.#wait(this.ms);
  }
  /** How long the loop ran until now. */
  #loopMs(nowMs: number): number {
    if (this.#timer && nowMs > this.#standsFromMs) {
      this.#stoodMs += nowMs - this.#standsFromMs;
      this.#standsFromMs = nowMs;
    }
    return nowMs - this.#stoodMs;
  }
  /** Each time twice as many as are left: a call pays for two looks at most. */
  #dropSettled(): void {
    this.#waiting = this.#waiting.filter(({ call }) => !call.isSettled);
    this.#dropAt = Math.max(DROP_FROM, 2 * this.#waiting.length);
  }
  /** In parts, which tell when the loop stood. */
  #wait(ms: number): void {
    const partMs = Math.min(Math.ceil(this.ms / PARTS), ms);
    this.#plannedMs = performance.now() + partMs;
    this.#standsFromMs = this.#plannedMs;
    // The connection keeps the process alive for as long as an answer is due.
    this.#timer = setTimeout(() => this.#rejectLate(), partMs).unref();
  }
  #rejectLate(): void {
    const nowMs = performance.now();
    const loopMs = this.#loopMs(nowMs);
    const isLate = nowMs - this.#plannedMs > lateAfterMs(this.ms / PARTS);
    this.#lateInARow = isLate ? this.#lateInARow + 1 : 0;
    this.#timer = undefined;
    this.#dropSettled();
    // After a late timer the loop first reads what has come.
    const mayReject = !isLate || this.#lateInARow > PARTS;
    const firstInTime = mayReject ? this.#waiting.findIndex(({ dueMs }) => dueMs > loopMs) : 0;
    const late = this.#waiting.splice(0, firstInTime < 0 ? this.#waiting.length : firstInTime);
    const [next] = this.#waiting;
    if (next) this.#wait(next.dueMs > loopMs ? Math.ceil(next.dueMs - loopMs) : this.ms);
    // Last: what they do then may add calls.
    for (const { call } of late) call.reject(new Error('Command timed out'));
  }
}
