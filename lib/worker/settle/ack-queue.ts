/** Sends the ends of runs to Redis: all of one tick in one call, repeated while it may still count. */

import { RECONNECT_POLICY, retryDelayMs } from '@/lib/contract/jobs/retry-policy';
import { RedriveError } from '@/lib/contract/redrive-error';
import { CALL_DEADLINE_MS, createSleeper, withCallDeadline } from '../worker-deadline';

const BATCH_MAX_JOBS = 500;
/** How long items wait for a call that should take them along, should that call be held up. */
const CARRIER_WAIT_MS = 20;

export interface AckQueue<T, O> {
  /** Resolves with the reply of Redis, or `gave-up` when it could not be sent in time. */
  push(item: T): Promise<O | 'gave-up'>;
  /** Hands up to `max` waiting items to another call that carries them along; null when none waits. */
  take(max: number): AckBatch<T, O> | null;
  /** No call is coming that would take along what waits: it goes now. */
  flush(): void;
  /** Gives up whatever is left. */
  close(): void;
}

/** Items on their way in another call. One of the two must be called. */
export interface AckBatch<T, O> {
  readonly items: readonly T[];
  succeed(outcomes: readonly O[]): void;
  /** Returns them to the queue, which sends them again while that may count. */
  fail(error: unknown): void;
}

export interface AckQueueOptions<T, O> {
  readonly what: string;
  send(items: readonly T[]): Promise<readonly O[]>;
  /** Whether a resend can still be of use; each item is sent at least once. */
  worthRetrying(item: T): boolean;
  /** Whether a call that will `take` what waits is about to leave; `flush` says when none is, after all. */
  willBeTaken?(): boolean;
  readonly random: () => number;
  onTrouble(error: unknown): void;
}

interface Waiting<T, O> {
  item: T;
  tries: number;
  resolve(outcome: O | 'gave-up'): void;
}

/** One call at a time: what ends meanwhile goes with the next. */
export function createAckQueue<T, O>(options: AckQueueOptions<T, O>): AckQueue<T, O> {
  const sleeper = createSleeper();
  let pending: Waiting<T, O>[] = [];
  let busy = false;
  let closed = false;
  let failures = 0;
  /** So many at the front of the line go one by one. */
  let singles = 0;
  let carrier: NodeJS.Timeout | undefined;

  function deliver(batch: readonly Waiting<T, O>[], outcomes: readonly O[]): void {
    failures = 0;
    batch.forEach(({ resolve }, i) => {
      resolve(outcomes[i] ?? 'gave-up');
    });
  }

  /** Back to the front of the line, but for what another send cannot help. */
  function putBack(batch: readonly Waiting<T, O>[], error: unknown): void {
    failures += 1;
    options.onTrouble(error);
    // What Redis never saw because it is not valid will not become valid.
    const invalid = error instanceof RedriveError && error.code === 'VALIDATION';
    // Which of them it is shows when each goes by itself: one must not take the others with it.
    const hopeless = invalid && batch.length === 1;
    if (invalid) singles = batch.length > 1 ? batch.length : singles;
    const again = batch.filter((one) => {
      one.tries += 1;
      const retry = !hopeless && !closed && options.worthRetrying(one.item);
      if (!retry) one.resolve('gave-up');
      return retry;
    });
    pending = [...again, ...pending];
  }

  async function flush(): Promise<void> {
    while (pending.length > 0 && !closed) {
      if (failures > 0) {
        await sleeper.sleep(retryDelayMs(failures, RECONNECT_POLICY, options.random));
        pending = pending.filter((one) => {
          const keep = one.tries === 0 || options.worthRetrying(one.item);
          if (!keep) one.resolve('gave-up');
          return keep;
        });
      }
      const batch = pending.splice(0, singles > 0 ? 1 : BATCH_MAX_JOBS);
      singles = Math.max(0, singles - 1);
      if (batch.length === 0) break;
      try {
        const call = options.send(batch.map(({ item }) => item));
        deliver(batch, await withCallDeadline(call, CALL_DEADLINE_MS, options.what));
      } catch (error) {
        putBack(batch, error);
      }
    }
    for (const { resolve } of pending.splice(0)) resolve('gave-up');
    busy = false;
  }

  function start(): void {
    if (busy) return;
    busy = true;
    // The end of this tick: everything that finishes in it shares one call.
    setImmediate(() => {
      if (pending.length > 0 && options.willBeTaken?.()) carrier = setTimeout(go, CARRIER_WAIT_MS);
      else void flush();
    });
  }
  function go(): void {
    clearTimeout(carrier);
    if (carrier === undefined) return;
    carrier = undefined;
    void flush();
  }

  return {
    push: (item) =>
      new Promise((resolve) => {
        if (closed) return resolve('gave-up');
        pending.push({ item, tries: 0, resolve });
        start();
      }),
    take(max) {
      // While Redis does not answer, the queue keeps its own rate.
      if (failures > 0 || pending.length === 0 || closed) return null;
      const batch = pending.splice(0, max);
      return {
        items: batch.map(({ item }) => item),
        succeed: (outcomes) => deliver(batch, outcomes),
        fail: (error) => {
          putBack(batch, error);
          if (pending.length > 0) start();
        },
      };
    },
    flush: go,
    close() {
      closed = true;
      clearTimeout(carrier);
      for (const { resolve } of pending.splice(0)) resolve('gave-up');
      sleeper.wake();
    },
  };
}
