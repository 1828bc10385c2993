/**
 * Which queue is next. Each queue has a virtual time that moves on by 1/weight for every job it was served; the queue
 * furthest behind is next. So while all are busy their shares are exactly their weights, the lightest is served within
 * one turn of the others, and an empty queue costs the others nothing.
 */
export class FairShares {
  readonly #weights: ReadonlyMap<string, number>;
  readonly #served = new Map<string, number>();
  /** The virtual time of the job served last. */
  #now = 0;

  constructor(weights: Readonly<Record<string, number>>) {
    this.#weights = new Map(Object.entries(weights));
  }

  /** Divides `slots` among the candidates; the order of the answer is the order of their turns. */
  allot(slots: number, candidates: Iterable<string>): Map<string, number> {
    const times = new Map([...candidates].map((queue) => [queue, this.#timeOf(queue)]));
    const shares = new Map<string, number>();
    for (let slot = 0; slot < slots && times.size > 0; slot++) {
      let next = '';
      let earliest = Number.POSITIVE_INFINITY;
      for (const [queue, time] of times)
        if (time < earliest) {
          next = queue;
          earliest = time;
        }
      shares.set(next, (shares.get(next) ?? 0) + 1);
      times.set(next, earliest + 1 / this.#weight(next));
    }
    return shares;
  }

  /** `jobs` of this queue were taken. */
  charge(queue: string, jobs: number): void {
    if (jobs <= 0) return;
    const time = this.#timeOf(queue);
    this.#now = Math.max(this.#now, time + (jobs - 1) / this.#weight(queue));
    this.#served.set(queue, time + jobs / this.#weight(queue));
  }

  /** It had less than its share: the turns it could not use are gone, so it cannot starve the others later. */
  forgo(queue: string): void {
    this.#served.set(queue, Math.max(this.#timeOf(queue), this.#now));
  }

  #timeOf = (queue: string): number => this.#served.get(queue) ?? 0;
  #weight = (queue: string): number => this.#weights.get(queue) ?? 1;
}
