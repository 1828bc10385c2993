/** Tells Redis how runs ended: all that ended in the same tick in one call, again and again while it may still count. */
import { RedriveError } from '@/lib/contract/errors';
import { RECONNECT, retryDelayMs } from '@/lib/contract/retry';
import { CALL_DEADLINE_MS, createSleeper, withDeadline } from './deadline';

const BATCH_MAX_JOBS = 500;

export interface Lane<T, O> {
  /** Resolves with what Redis said, or `gave-up` when it could not be told in time. */
  push(item: T): Promise<O | 'gave-up'>;
  /** Gives up whatever is left. */
  close(): void;
}

export interface LaneOptions<T, O> {
  readonly what: string;
  send(items: readonly T[]): Promise<readonly O[]>;
  /** Whether a resend can still be of use; each item is sent at least once. */
  worthRetrying(item: T): boolean;
  readonly random: () => number;
  onTrouble(error: unknown): void;
}

interface Waiting<T, O> {
  item: T;
  tries: number;
  resolve(outcome: O | 'gave-up'): void;
}

/** One call at a time: what ends meanwhile goes with the next. */
export function createLane<T, O>(options: LaneOptions<T, O>): Lane<T, O> {
  const sleeper = createSleeper();
  let pending: Waiting<T, O>[] = [];
  let busy = false;
  let closed = false;

  async function flush(): Promise<void> {
    let failures = 0;
    while (pending.length > 0 && !closed) {
      const batch = pending.splice(0, BATCH_MAX_JOBS);
      try {
        const outcomes = await withDeadline(
          options.send(batch.map(({ item }) => item)),
          CALL_DEADLINE_MS,
          options.what,
        );
        batch.forEach(({ resolve }, i) => {
          resolve(outcomes[i] ?? 'gave-up');
        });
        failures = 0;
      } catch (error) {
        options.onTrouble(error);
        // What Redis never saw because it is not valid will not become valid.
        const hopeless = error instanceof RedriveError && error.code === 'VALIDATION';
        const again = batch.filter((one) => {
          one.tries += 1;
          const retry = !hopeless && !closed && options.worthRetrying(one.item);
          if (!retry) one.resolve('gave-up');
          return retry;
        });
        pending = [...again, ...pending];
        failures += 1;
        if (pending.length > 0) await sleeper.sleep(retryDelayMs(failures, RECONNECT, options.random));
        pending = pending.filter((one) => {
          const keep = one.tries === 0 || options.worthRetrying(one.item);
          if (!keep) one.resolve('gave-up');
          return keep;
        });
      }
    }
    for (const { resolve } of pending.splice(0)) resolve('gave-up');
    busy = false;
  }

  return {
    push: (item) =>
      new Promise((resolve) => {
        if (closed) return resolve('gave-up');
        pending.push({ item, tries: 0, resolve });
        if (busy) return;
        busy = true;
        // The end of this tick: everything that finishes in it shares one call.
        setImmediate(() => void flush());
      }),
    close() {
      closed = true;
      for (const { resolve } of pending.splice(0)) resolve('gave-up');
      sleeper.wake();
    },
  };
}
