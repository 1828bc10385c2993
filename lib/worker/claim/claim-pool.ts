/** Claims jobs for the free capacity, divides it among the queues, and blocks while there is nothing. */
import type { Waiter } from '@/lib/broker/application';
import { RECONNECT_POLICY, retryDelayMs } from '@/lib/contract/jobs/retry-policy';
import type { Lease } from '../run/running-job';
import { createSleeper } from '../worker-deadline';
import type { ClaimedJob, Clock, OnEvent } from '../worker-types';
import type { Claimed, Claimer } from './claimer';
import { createQueueShares, type QueuePriority } from './fair-shares';

/** An idle worker looks for itself this often, should a wake-up be lost with a Redis that died. */
const IDLE_MAX_MS = 5_000;
/** An answer "empty" counts for so long, while another queue uses all capacity and after all of it was in use: then … */
const ASK_AGAIN_AFTER_MS = 20;
/** … the worker asks so many of them, in turn: one of a thousand queues would do nothing else. */
const ASK_AGAIN_QUEUES = 16;
/** So many, in turn, when no wake-up came. */
const LOOK_QUEUES = 250;
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
  /** Resolves after `stop`, once a claim under way has come back. */
  run(): Promise<void>;
  /** Nothing to claim, as far as is known. */
  isIdle(): boolean;
  /** A claim from this queue is about to leave, or the one under way makes room for it: acks that wait may go with it. */
  claimIsNear(queue: string): boolean;
  /** Capacity became free, or grew: claims for it now. Call it once for all that became free together. */
  fill(): void;
  /** Claims no more until `resume`. */
  pause(): void;
  resume(): void;
  /** Claims no more. */
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
  /** Takes up `freeCapacity` at once. */
  onClaimed(jobs: readonly ClaimedJob[], lease: Lease): void;
  /** Claims that could leave have left: acks for which none is near must go by themselves. */
  onFilled(): void;
  readonly onEvent: OnEvent;
}

/** As if they had been asked in turns. */
const askAgainAfterMs = (asked: number) => ASK_AGAIN_AFTER_MS * Math.ceil(asked / ASK_AGAIN_QUEUES);

interface Rest {
  readonly woken: string | null;
  readonly claimed?: Claimed | null | undefined;
}

/** All claims are made here: no capacity is ever promised twice. */
export function createClaimPool(deps: ClaimPoolDeps): ClaimPool {
  const { queues, claimer, waiter, clock, random, onEvent } = deps;
  const names = Object.keys(queues);
  const shares = createQueueShares(queues, deps.priority);
  const sleeper = createSleeper();
  let markStopped: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    markStopped = resolve;
  });
  let stopping = false;
  let paused = false;
  let refusals = 0;
  /** Waits for something to claim: `blocked` in Redis, or for a short while here. */
  let resting = false;
  let blocked = false;
  /** Queues that may have jobs; the others had none at their last claim. */
  const hopeful = new Set<string>(names);
  let askAgainAtMs = clock.monotonicMs() + askAgainAfterMs(names.length);
  let emptySinceMs = 0;
  /** Of all names: the next to ask again. */
  let askNext = 0;
  /** Ended the last wait, and was not asked since. One claim tells whether there is work for a second. */
  let wokenQueue: string | null = null;
  /** When something falls due in queues that had no jobs. */
  const dueAtMs = new Map<string, number>();
  let turns = 0;
  /** Capacity that claims under way will fill. */
  let promised = 0;

  function askAgain(queues: number, nowMs: number): void {
    const asked = Math.min(queues, names.length);
    for (let i = 0; i < asked; i++) hopeful.add(names[askNext++ % names.length] ?? '');
    askAgainAtMs = nowMs + askAgainAfterMs(asked);
  }

  function askDue(nowMs: number): void {
    for (const [queue, atMs] of dueAtMs) if (atMs <= nowMs) hopeful.add(queue);
  }

  function fill(): void {
    if (!stopping && !paused && !resting) claimForFree();
    deps.onFilled();
    if (stopping && turns === 0 && !resting) markStopped();
  }

  function claimForFree(): void {
    const nowMs = clock.monotonicMs();
    const capacity = deps.capacity?.() ?? 1;
    const overlaps = capacity >= OVERLAP_FROM_CAPACITY;
    const most = overlaps ? Math.ceil(capacity / 2) : Number.POSITIVE_INFINITY;
    const turnsMax = overlaps && wokenQueue === null ? 2 : 1;
    while (turns < turnsMax) {
      const free = Math.min(deps.freeCapacity() - promised, most);
      if (free <= 0) return;
      askOthers(nowMs);
      if (hopeful.size === 0) break;
      takeTurn(free);
    }
    if (turns === 0) void rest(nowMs);
  }

  /** Capacity that one queue fills as fast as it becomes free would starve the others. */
  function askOthers(nowMs: number): void {
    if (hopeful.size === names.length) return;
    if (hopeful.size === 0 && turns > 0) return;
    if (nowMs < (hopeful.size > 0 ? askAgainAtMs : emptySinceMs + ASK_AGAIN_AFTER_MS)) return;
    askAgain(ASK_AGAIN_QUEUES, nowMs);
    askDue(nowMs);
  }

  /** Together never more than `capacity`; what a queue cannot use goes to the others in the next turn. */
  function takeTurn(capacity: number): void {
    const asked: Iterable<[string, number]> =
      names.length === 1 ? [[names[0] ?? '', capacity]] : shares.allot(capacity, hopeful);
    turns += 1;
    promised += capacity;
    let underWay = 0;
    for (const [queue, count] of asked) {
      underWay += 1;
      claimer.claim(queue, count, queue === wokenQueue, (claimed) => {
        promised -= count;
        underWay -= 1;
        if (underWay === 0) turns -= 1;
        takeUp(queue, claimed);
      });
    }
  }

  function learn(queue: string, claimed: Claimed | null): void {
    shares.charge(queue, claimed?.jobs.length ?? 0);
    dueAtMs.delete(queue);
    if (queue === wokenQueue) wokenQueue = null;
    if (claimed?.more) {
      hopeful.add(queue);
      return;
    }
    hopeful.delete(queue);
    shares.skipTurn(queue);
    emptySinceMs = clock.monotonicMs();
    const waitMs = claimed ? claimed.waitMs : claimer.backoffLeftMs(queue);
    if (waitMs !== null) dueAtMs.set(queue, emptySinceMs + waitMs);
  }

  /** Until there may be something to claim. */
  async function rest(nowMs: number): Promise<void> {
    resting = true;
    let waitMs = IDLE_MAX_MS;
    for (const atMs of dueAtMs.values()) waitMs = Math.min(waitMs, atMs - nowMs);
    const { woken, claimed } = await idle(Math.max(1, waitMs));
    resting = false;
    const wokenAtMs = clock.monotonicMs();
    askDue(wokenAtMs);
    if (claimed !== undefined) return takeUp(names[0] ?? '', claimed);
    if (woken === null) askAgain(waitMs < BLOCK_FROM_MS ? ASK_AGAIN_QUEUES : LOOK_QUEUES, wokenAtMs);
    else {
      hopeful.add(woken);
      wokenQueue = woken;
      // The others would have woken us as well.
      askAgainAtMs = wokenAtMs + ASK_AGAIN_AFTER_MS;
    }
    fill();
  }

  function takeUp(queue: string, claimed: Claimed | null): void {
    learn(queue, claimed);
    if (claimed && claimed.jobs.length > 0) deps.onClaimed(claimed.jobs, claimed.lease);
    fill();
  }

  /** `woken`: the queue that woke us; null: none did. `claimed`: what a claim behind the wait brought, as of a claim; undefined: there was none. */
  async function idle(timeoutMs: number): Promise<Rest> {
    const healthy = names.filter((queue) => claimer.backoffLeftMs(queue) === 0);
    if (healthy.length === 0 || timeoutMs < BLOCK_FROM_MS) {
      await sleeper.sleep(healthy.length === 0 ? timeoutMs : Math.min(timeoutMs, NAP_MS));
      return { woken: null };
    }
    onEvent({ type: 'idle', timeoutMs });
    const startedAtMs = clock.monotonicMs();
    const [only = ''] = names;
    const behind = names.length === 1 ? claimer.claimBehindWait(only, deps.freeCapacity(), timeoutMs) : null;
    blocked = true;
    const queue = await waiter.wait(healthy, timeoutMs, behind?.send).catch(() => null);
    const claimed = behind ? await behind.collect(stopping || paused) : undefined;
    blocked = false;
    onEvent({ type: 'woken', queue });
    // A paused worker asks no more: what the interrupted claim took would wait for the end of its lease.
    if (paused) void claimer.abandonLostClaims();
    if (claimed !== undefined) return { woken: queue, claimed };
    const refused =
      queue === null && !paused && clock.monotonicMs() - startedAtMs < timeoutMs - REFUSED_WITHIN_MS;
    refusals = refused ? refusals + 1 : 0;
    // Otherwise a Redis that takes claims but no second connection would be called in a tight loop.
    if (refused && !stopping) await sleeper.sleep(retryDelayMs(refusals, RECONNECT_POLICY, random));
    return { woken: queue };
  }

  return {
    run() {
      fill();
      return stopped;
    },
    // A paused one leaves nothing to its claims either.
    isIdle: () => blocked || paused,
    claimIsNear: (queue) =>
      !stopping && !paused && turns > 0 && hopeful.has(queue) && hopeful.size <= (deps.capacity?.() ?? 1),
    fill() {
      // Jobs that ended may have made room in a limit of their queue.
      if (resting && !blocked && deps.freeCapacity() > 0) sleeper.wake();
      fill();
    },
    pause() {
      paused = true;
      sleeper.wake();
      waiter.interrupt();
      deps.onFilled();
    },
    resume() {
      paused = false;
      for (const queue of names) hopeful.add(queue);
      fill();
    },
    stop() {
      stopping = true;
      sleeper.wake();
      waiter.interrupt();
      fill();
    },
  };
}
