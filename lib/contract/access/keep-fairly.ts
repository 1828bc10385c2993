/** Which items of a full list stay, so that no holder's items push out those of holders with fewer. */

/**
 * Keeps the newest items of each holder, at the same number for all who have more than their share: the holder of most loses first.
 * @param items oldest first @param most how many stay @returns those that stay, oldest first
 */
export function keepFairly<T>(
  items: readonly T[],
  most: number,
  holderOf: (item: T) => string,
): readonly T[] {
  if (items.length <= most) return items;
  const holders = items.map(holderOf);
  const counts = new Map<string, number>();
  for (const holder of holders) counts.set(holder, (counts.get(holder) ?? 0) + 1);
  const { share, more } = evenShare([...counts.values()], most);
  const kept: T[] = [];
  const taken = new Map<string, number>();
  let extra = more;
  for (let i = items.length - 1; i >= 0; i--) {
    const holder = holders[i] as string;
    const own = taken.get(holder) ?? 0;
    const isExtra = own === share && extra > 0;
    if (own >= share && !isExtra) continue;
    if (isExtra) extra -= 1;
    taken.set(holder, own + 1);
    kept.push(items[i] as T);
  }
  return kept.reverse();
}

/** The largest number that every holder may keep, and how many holders may keep one more. */
function evenShare(counts: readonly number[], most: number): { share: number; more: number } {
  const ascending = counts.toSorted((a, b) => a - b);
  let left = most;
  for (const [i, count] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - i));
    if (count > share) return { share, more: left - share * (ascending.length - i) };
    left -= count;
  }
  return { share: most, more: 0 };
}
