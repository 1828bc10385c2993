/** Claims jobs for the free capacity, divides it among the queues, and blocks while there is nothing. */
import type { Waiter } from '@/lib/broker';
import { RECONNECT_POLICY, retryDelayMs } from '@/lib/contract/jobs/retry-policy';
import { createSleeper } from '../worker-deadline';
import type { Clock, OnEvent } from '../worker-types';
import type { Claimer } from './claimer';
import { createQueueShares, type QueuePriority } from './fair-shares';

/** An idle worker looks for itself this often, should a wake-up be lost with a Redis that died. */
const IDLE_MAX_MS = 5_000;
/** While some queue uses all capacity, queues that were empty are claimed from again this often. */
const ASK_ALL_EVERY_MS = 20;
/**
 * From this capacity on two claims are under way at a time, each for up to half of them: one runs in Redis, one here. Measured on
 * two cores: half as fast again at 100; at 10 no faster, for a quarter more of Redis's time.
 */
const OVERLAP_FROM_CAPACITY = 16;
/** A blocking wait ends on Redis's own beat of a tenth of a second: shorter ones are slept here, in naps that a new job may have to wait out. */
const BLOCK_FROM_MS = 150;
const NAP_MS = 25;
/** A wait this much shorter than asked was no wait: the connection refused it. */
const REFUSED_WITHIN_MS = 50;

export interface ClaimPool {
  run(): Promise<void>;
  /** Nothing to claim, as far as is known. */
  isIdle(): boolean;
  /** A claim is about to leave, and takes along the acks that wait. */
  claimIsNear(): boolean;
  /** Capacity became free, or grew. */
  wake(): void;
  /** Claims no more; `run` returns once a claim under way has come back. */
  stop(): void;
}

export interface ClaimPoolDeps {
  readonly queues: Readonly<Record<string, number>>;
  readonly priority?: QueuePriority;
  readonly claimer: Claimer;
  readonly waiter: Waiter;
  readonly clock: Clock;
  readonly random: () => number;
  freeCapacity(): number;
  /** All of them. Default: too few to overlap claims. */
  capacity?(): number;
  /** The capacity is used up, or there is nothing to claim: no claim will take acks along for now. */
  onQuiet(): void;
  readonly onEvent: OnEvent;
}

/** One loop does all the claiming: no capacity is ever promised twice. */
export function createClaimPool(deps: ClaimPoolDeps): ClaimPool {
  const { queues, claimer, waiter, clock, random, freeCapacity: freeSlots, onEvent } = deps;
  const names = Object.keys(queues);
  const shares = createQueueShares(queues, deps.priority);
  const sleeper = createSleeper();
  let stopping = false;
  let refusals = 0;
  let idling = false;
  let near = false;
  let nudge: Promise<void> | null = null;
  let onNudge: (() => void) | undefined;

  /** Claims until the capacity is used up or no queue has anything. Returns for how long there is nothing; null: no capacity is left. */
  async function fill(): Promise<number | null> {
    const hopeful = new Set(names);
    const turns = new Set<Promise<void>>();
    let promised = 0;
    let idleMs = IDLE_MAX_MS;
    let askedAllAtMs = clock.monotonicMs();

    async function turn(capacity: number): Promise<void> {
      promised += capacity;
      // Together never more than these; what a queue cannot use goes to the others in the next turn.
      const asked = [...shares.allot(capacity, hopeful)];
      await Promise.all(
        asked.map(async ([queue, count]) => {
          const result = await claimer.claim(queue, count);
          shares.charge(queue, result?.jobs.length ?? 0);
          if (result?.more) return hopeful.add(queue);
          hopeful.delete(queue);
          shares.skipTurn(queue);
          idleMs = Math.min(idleMs, result ? (result.waitMs ?? idleMs) : claimer.backoffLeftMs(queue));
        }),
      );
      promised -= capacity;
    }

    for (;;) {
      // Capacity that one queue fills as fast as it becomes free would starve the others.
      if (
        hopeful.size < names.length &&
        clock.monotonicMs() - askedAllAtMs >= ASK_ALL_EVERY_MS &&
        hopeful.size > 0
      ) {
        for (const name of names) hopeful.add(name);
        askedAllAtMs = clock.monotonicMs();
        idleMs = IDLE_MAX_MS;
      }
      const capacity = deps.capacity?.() ?? 1;
      const overlaps = capacity >= OVERLAP_FROM_CAPACITY;
      const free = Math.min(
        freeSlots() - promised,
        overlaps ? Math.ceil(capacity / 2) : Number.POSITIVE_INFINITY,
      );
      if (!stopping && free > 0 && hopeful.size > 0 && turns.size < (overlaps ? 2 : 1)) {
        const one = turn(free).finally(() => turns.delete(one));
        turns.add(one);
      } else if (turns.size > 0) {
        // Capacity that becomes free while a claim is under way need not wait for it.
        await Promise.race(overlaps && turns.size < 2 ? [...turns, nudged()] : turns);
      } else return hopeful.size > 0 || stopping ? null : idleMs;
    }
  }

  /** Resolves at the end of a tick in which jobs ended: they are claimed for together. */
  function nudged(): Promise<void> {
    nudge ??= new Promise((resolve) => {
      onNudge = () => {
        onNudge = undefined;
        setImmediate(() => {
          nudge = null;
          resolve();
        });
      };
    });
    return nudge;
  }

  async function idle(timeoutMs: number): Promise<void> {
    const healthy = names.filter((queue) => claimer.backoffLeftMs(queue) === 0);
    if (healthy.length === 0) return sleeper.sleep(timeoutMs);
    if (timeoutMs < BLOCK_FROM_MS) return sleeper.sleep(Math.min(timeoutMs, NAP_MS));
    onEvent({ type: 'idle', timeoutMs });
    const startedAtMs = clock.monotonicMs();
    idling = true;
    const queue = await waiter.wait(healthy, timeoutMs).catch(() => null);
    idling = false;
    onEvent({ type: 'woken', queue });
    const refused = queue === null && clock.monotonicMs() - startedAtMs < timeoutMs - REFUSED_WITHIN_MS;
    refusals = refused ? refusals + 1 : 0;
    // Otherwise a Redis that takes claims but no second connection would be called in a tight loop.
    if (refused && !stopping) await sleeper.sleep(retryDelayMs(refusals, RECONNECT_POLICY, random));
  }

  return {
    async run() {
      while (!stopping) {
        if (freeSlots() <= 0) {
          await sleeper.sleep(IDLE_MAX_MS);
          near = freeSlots() > 0;
          // The end of this tick: its ended jobs free their capacity together, and are claimed for together.
          if (!stopping) await new Promise((resolve) => setImmediate(resolve));
        } else {
          near = true;
          const idleMs = await fill();
          near = false;
          deps.onQuiet();
          if (idleMs !== null && !stopping) await idle(Math.max(1, idleMs));
        }
      }
    },
    isIdle: () => idling,
    claimIsNear: () => near && !stopping,
    wake() {
      if (freeSlots() <= 0) return;
      sleeper.wake();
      onNudge?.();
    },
    stop() {
      stopping = true;
      sleeper.wake();
      waiter.interrupt();
    },
  };
}
