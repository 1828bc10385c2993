import type { Filter } from '@/lib/contract/query';

/** The range of scores that conditions on age leave. */
export class Bounds {
  #low = Number.NEGATIVE_INFINITY;
  #high = Number.POSITIVE_INFINITY;
  constructor(
    readonly byScore: boolean,
    private readonly at: number,
  ) {}
  get low(): string {
    return this.#low === Number.NEGATIVE_INFINITY ? '-inf' : String(this.#low);
  }
  get high(): string {
    return this.#high === Number.POSITIVE_INFINITY ? '+inf' : String(this.#high);
  }
  get empty(): boolean {
    return this.#low > this.#high;
  }
  until(ms: number): void {
    if (this.byScore) this.#high = Math.min(this.#high, ms);
  }
  since(ms: number): void {
    if (this.byScore) this.#low = Math.max(this.#low, ms);
  }
  /** True: the range says it all. */
  absorb(term: Filter): boolean {
    if (!this.byScore || term.kind !== 'age') return false;
    const then = this.at - term.ms;
    if (term.compare === '>' || term.compare === '>=' || term.compare === '=')
      this.#high = Math.min(this.#high, term.compare === '>' ? then - 1 : then);
    if (term.compare === '<' || term.compare === '<=' || term.compare === '=')
      this.#low = Math.max(this.#low, term.compare === '<' ? then + 1 : then);
    return true;
  }
}
