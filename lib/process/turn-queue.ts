/** Work that only runs a few at a time: who goes next, and who is refused, is up to a policy. */

export interface TurnLimits {
  /** Running at once. */
  readonly most: number;
  /** Waiting at once; beyond, one of them is refused. */
  readonly waiting: number;
  /** One that waits longer is refused, in ms. */
  readonly waitMaxMs: number;
}

export interface TurnPolicy<O> {
  /** Somebody's work runs, or waits to. */
  entered?(owner: O): void;
  /** Work that waited was refused, or its client left. */
  gaveUp?(owner: O): void;
  started?(owner: O): void;
  ended?(owner: O): void;
  /** Whether more work of this owner may start while the queue has a free place. Default: it may. */
  mayStart?(owner: O): boolean;
  /** Less than 0: `a` goes before `b`. Among equals the earlier goes first. */
  compare(a: O, b: O): number;
  /** Whether this owner has enough that waits. Default: never. */
  isFull?(owner: O, theirs: number): boolean;
  /** @param theirs how much work of this owner waits */
  refusal(owner: O, theirs: number): Error;
}

interface Waiting<O> {
  readonly owner: O;
  start(): void;
  refuse(): void;
}

export class TurnQueue<O> {
  private active = 0;
  /** In order of arrival. */
  private readonly queue: Waiting<O>[] = [];

  constructor(
    private readonly limits: TurnLimits,
    private readonly policy: TurnPolicy<O>,
  ) {}

  get running(): number {
    return this.active;
  }

  get waiting(): number {
    return this.queue.length;
  }

  /**
   * @param signal ends the wait when no caller needs the result any more
   * @throws the policy's refusal before `work` started, the reason of the signal, and what `work` throws
   */
  async run<T>(owner: O, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    await this.enter(owner, signal);
    try {
      return await work();
    } finally {
      this.active -= 1;
      this.policy.ended?.(owner);
      this.startNext();
    }
  }

  /** To be called, too, when something else than the end of a turn lets the policy start more. */
  startNext(): void {
    while (this.active < this.limits.most) {
      const next = this.first();
      if (!next) return;
      next.start();
    }
  }

  private async enter(owner: O, signal: AbortSignal | undefined): Promise<void> {
    const { policy, limits } = this;
    const refusal = () => policy.refusal(owner, this.waitingOf(owner));
    if (policy.isFull?.(owner, this.waitingOf(owner))) throw refusal();
    policy.entered?.(owner);
    const isFree = this.queue.length === 0 && this.active < limits.most;
    if (isFree && (policy.mayStart?.(owner) ?? true)) return this.begin(owner);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => waiting.refuse(), limits.waitMaxMs).unref();
      const leave = () => give(signal?.reason);
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        this.queue.splice(this.queue.indexOf(waiting), 1);
      };
      const give = (error: unknown) => {
        end();
        policy.gaveUp?.(owner);
        reject(error);
      };
      const waiting: Waiting<O> = {
        owner,
        start: () => {
          end();
          this.begin(owner);
          resolve();
        },
        refuse: () => give(refusal()),
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.queue.push(waiting);
      this.startNext();
      if (this.queue.length > limits.waiting) this.last()?.refuse();
    });
  }

  private waitingOf(owner: O): number {
    return this.queue.reduce((sum, one) => sum + (one.owner === owner ? 1 : 0), 0);
  }

  private begin(owner: O): void {
    this.active += 1;
    this.policy.started?.(owner);
  }

  private first(): Waiting<O> | undefined {
    const { compare, mayStart } = this.policy;
    let first: Waiting<O> | undefined;
    for (const one of this.queue)
      if ((!first || compare(one.owner, first.owner) < 0) && (mayStart?.(one.owner) ?? true)) first = one;
    return first;
  }

  private last(): Waiting<O> | undefined {
    const { compare } = this.policy;
    return this.queue.reduce<Waiting<O> | undefined>(
      (last, one) => (last && compare(one.owner, last.owner) < 0 ? last : one),
      undefined,
    );
  }
}
