/** Values with counts, most first. */
import type { FacetValue } from '@/lib/contract/search/search-schemas';

export class ValueCounts {
  readonly #counts = new Map<string, { value: string; count: number }>();
  add(value: string, count: number): void {
    const known = this.#counts.get(value);
    if (known) known.count += count;
    else if (count > 0) this.#counts.set(value, { value, count });
  }
  get size(): number {
    return this.#counts.size;
  }
  /** @param most values of that many; the rest is not shown */
  mostFirst(most: number): FacetValue[] {
    return [...this.#counts.values()]
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, most);
  }
}
