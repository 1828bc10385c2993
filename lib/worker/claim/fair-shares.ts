/** Which queue is next. */
export const QUEUE_PRIORITIES = ['weighted', 'strict'] as const;
export type QueuePriority = (typeof QUEUE_PRIORITIES)[number];

export interface QueueShares {
  /** Divides `capacity` among the candidates; the order of the answer is the order of their turns. */
  allot(capacity: number, candidates: Iterable<string>): Map<string, number>;
  /** `jobs` of this queue were taken. */
  charge(queue: string, jobs: number): void;
  /** It had less than its share. */
  skipTurn(queue: string): void;
}

export const createQueueShares = (
  weights: Readonly<Record<string, number>>,
  priority: QueuePriority = 'weighted',
): QueueShares => (priority === 'strict' ? new StrictOrder(Object.keys(weights)) : new FairShares(weights));

/** Sums of fractions are only almost exact: what differs by less is equal, and the queue named first is next. */
const EQUAL_WITHIN = 1e-9;
const REBASE_AT = 1_000;

/**
 * Each queue has a virtual time that moves on by 1/weight for every job it was served; the queue furthest behind is next. So
 * while all are busy their shares are exactly their weights, and an empty queue costs the others nothing.
 *
 * None starves: from one turn of a busy queue to its next, another of weight v is served at most ⌊v/w⌋ + 1 times. With weights
 * that add up to W, a busy queue of weight w therefore has a turn within any W/w + n − 1 turns of n queues; where the weights
 * are multiples of w, within any W/w. No rule could promise ⌈W/w⌉ for all weights: with 3, 2 and 1, each second turn and each
 * third turn leave none for the last.
 */
export class FairShares implements QueueShares {
  readonly #weights: ReadonlyMap<string, number>;
  readonly #served = new Map<string, number>();
  /** Those that had nothing left at their last claim. */
  readonly #idle = new Set<string>();
  /** The virtual time of the job served last. */
  #now = 0;

  constructor(weights: Readonly<Record<string, number>>) {
    this.#weights = new Map(Object.entries(weights));
  }

  allot(capacity: number, candidates: Iterable<string>): Map<string, number> {
    const times = this.#furthestBehind(capacity, candidates);
    const shares = new Map<string, number>();
    for (let n = 0; n < capacity && times.size > 0; n++) {
      let next = '';
      let earliest = Number.POSITIVE_INFINITY;
      for (const [queue, time] of times)
        if (time < earliest - EQUAL_WITHIN) {
          next = queue;
          earliest = time;
        }
      shares.set(next, (shares.get(next) ?? 0) + 1);
      times.set(next, earliest + 1 / this.#weight(next));
    }
    return shares;
  }

  /** Their virtual times. Others can have no share: it is one job for each of these at most. */
  #furthestBehind(capacity: number, candidates: Iterable<string>): Map<string, number> {
    const times = new Map<string, number>();
    for (const queue of candidates) times.set(queue, this.#timeOf(queue));
    if (times.size <= capacity) return times;
    const sorted = Float64Array.from(times.values()).sort();
    const last = sorted[capacity - 1] ?? 0;
    // Of those that are equal, the ones named first.
    let equals = capacity - sorted.findIndex((time) => time >= last - EQUAL_WITHIN);
    for (const [queue, time] of times) {
      if (time < last - EQUAL_WITHIN) continue;
      if (time <= last + EQUAL_WITHIN && equals > 0) equals -= 1;
      else times.delete(queue);
    }
    return times;
  }

  charge(queue: string, jobs: number): void {
    if (jobs <= 0) return;
    const time = this.#timeOf(queue);
    this.#idle.delete(queue);
    this.#now = Math.max(this.#now, time + (jobs - 1) / this.#weight(queue));
    this.#served.set(queue, time + jobs / this.#weight(queue));
    if (this.#now > REBASE_AT) this.#rebase();
  }

  /** The turns it could not use are gone, so it cannot starve the others later: when it is back, it starts from then. */
  skipTurn(queue: string): void {
    this.#idle.add(queue);
  }

  #timeOf(queue: string): number {
    const time = this.#served.get(queue) ?? 0;
    return this.#idle.has(queue) ? Math.max(time, this.#now) : time;
  }

  #weight = (queue: string): number => this.#weights.get(queue) ?? 1;

  /** Only differences count; small numbers keep them exact. */
  #rebase(): void {
    for (const [queue, time] of this.#served) this.#served.set(queue, time - this.#now);
    this.#now = 0;
  }
}

/** All capacity to the first queue that may have jobs; what it cannot use, to the next. Those at the end may starve: that is the rule. */
export class StrictOrder implements QueueShares {
  readonly #order: readonly string[];

  constructor(order: readonly string[]) {
    this.#order = order;
  }

  allot(capacity: number, candidates: Iterable<string>): Map<string, number> {
    const asking = new Set(candidates);
    const first = this.#order.find((queue) => asking.has(queue));
    return new Map(first === undefined || capacity <= 0 ? [] : [[first, capacity]]);
  }

  charge(): void {}
  skipTurn(): void {}
}
