/** Sends the ends of runs to Redis: all that wait in one call, repeated while it may still count. */

import { RECONNECT_POLICY, retryDelayMs } from '@/lib/contract/jobs/retry-policy';
import { RedriveError } from '@/lib/contract/redrive-error';
import { CALL_DEADLINE_MS, createSleeper, withCallDeadline } from '../worker-deadline';

const BATCH_MAX_JOBS = 500;
/** How long items wait for a call that should take them along, should that call be held up. */
const CARRIER_WAIT_MS = 20;

export interface AckQueue<T, O> {
  /** It waits for `flush`, or for a call that takes it along. */
  push(item: T): void;
  /** Hands up to `max` waiting items to another call that carries them along; null when none waits. */
  take(max: number): AckBatch<T, O> | null;
  /** Sends what waits, unless a call that takes it along is about to leave: then it goes on waiting, and the answer is true. */
  flush(): boolean;
  /** Redis has just answered another call for the same keys: what failed before is sent now, not after its delay. */
  answered(): void;
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
  /** The outcomes of items that were sent, in order; null: they could not be sent in time. */
  onSettled(items: readonly T[], outcomes: readonly O[] | null): void;
  /** Whether a resend can still be of use; each item is sent at least once. */
  worthRetrying(item: T): boolean;
  /** Whether a call that will `take` what waits is about to leave. */
  willBeTaken?(): boolean;
  readonly random: () => number;
  onTrouble(error: unknown): void;
}

/** One call at a time: what ends meanwhile goes with the next. */
export function createAckQueue<T, O>(options: AckQueueOptions<T, O>): AckQueue<T, O> {
  const sleeper = createSleeper();
  let pending: T[] = [];
  let busy = false;
  let closed = false;
  let failures = 0;
  /** So many at the front of the line were sent before. */
  let resends = 0;
  /** So many at the front of the line go one by one. */
  let singles = 0;
  let carrier: NodeJS.Timeout | undefined;
  let waitingSinceMs = 0;

  function splice(max: number): T[] {
    resends = Math.max(0, resends - max);
    if (pending.length > max) return pending.splice(0, max);
    const all = pending;
    pending = [];
    return all;
  }

  function settle(items: readonly T[], outcomes: readonly O[] | null): void {
    if (items.length > 0) options.onSettled(items, outcomes);
  }

  /** Keeps those for which another send may be of use. */
  function dropHopeless(items: readonly T[], isHopeless: (item: T) => boolean): T[] {
    const hopeless = items.filter(isHopeless);
    settle(hopeless, null);
    return hopeless.length === 0 ? [...items] : items.filter((item) => !hopeless.includes(item));
  }

  /** Back to the front of the line, but for what another send cannot help. */
  function putBack(batch: readonly T[], error: unknown): void {
    failures += 1;
    options.onTrouble(error);
    // What Redis never saw because it is not valid will not become valid.
    const invalid = error instanceof RedriveError && error.code === 'VALIDATION';
    // Which of them it is shows when each goes by itself: one must not take the others with it.
    const hopeless = invalid && batch.length === 1;
    if (invalid) singles = batch.length > 1 ? batch.length : singles;
    const again = dropHopeless(batch, (item) => hopeless || closed || !options.worthRetrying(item));
    pending = [...again, ...pending];
    resends += again.length;
    forgetFailures();
  }

  /** Failures delay resends, and never an item that was not sent yet. */
  function forgetFailures(): void {
    if (pending.length === 0) failures = 0;
  }

  async function sendAll(): Promise<void> {
    busy = true;
    while (pending.length > 0 && !closed) {
      if (failures > 0) {
        await sleeper.sleep(retryDelayMs(failures, RECONNECT_POLICY, options.random));
        const before = splice(resends);
        const again = dropHopeless(before, (item) => !options.worthRetrying(item));
        pending = [...again, ...pending];
        resends = again.length;
      }
      const batch = splice(singles > 0 ? 1 : BATCH_MAX_JOBS);
      singles = Math.max(0, singles - 1);
      if (batch.length === 0) break;
      try {
        const outcomes = await withCallDeadline(options.send(batch), CALL_DEADLINE_MS, options.what);
        failures = 0;
        settle(batch, outcomes);
      } catch (error) {
        putBack(batch, error);
      }
    }
    busy = false;
    forgetFailures();
    if (closed) settle(splice(pending.length), null);
  }

  /** The timer is left alone while calls come and go: only what has waited for long is sent. */
  function awaitCarrier(): void {
    carrier ??= setTimeout(() => {
      carrier = undefined;
      if (pending.length === 0 || busy) return;
      if (performance.now() - waitingSinceMs >= CARRIER_WAIT_MS - 1) void sendAll();
      else awaitCarrier();
    }, CARRIER_WAIT_MS);
  }

  return {
    push(item) {
      if (closed) return settle([item], null);
      if (pending.length === 0) waitingSinceMs = performance.now();
      pending.push(item);
    },
    take(max) {
      // While Redis does not answer, the queue keeps its own rate.
      if (failures > 0 || pending.length === 0 || closed) return null;
      const items = splice(max);
      return {
        items,
        succeed(outcomes) {
          failures = 0;
          settle(items, outcomes);
        },
        fail(error) {
          putBack(items, error);
          if (!busy && pending.length > 0) void sendAll();
        },
      };
    },
    flush() {
      if (busy || pending.length === 0 || closed) return false;
      const waits = options.willBeTaken?.() ?? false;
      if (waits) awaitCarrier();
      else void sendAll();
      return waits;
    },
    answered() {
      if (failures === 0) return;
      failures = 1;
      sleeper.wake();
    },
    close() {
      closed = true;
      clearTimeout(carrier);
      settle(splice(pending.length), null);
      sleeper.wake();
    },
  };
}
