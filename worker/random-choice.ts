/** Small dice. `random` gives a number in [0, 1). */
export const chance = (percent: number, random: () => number): boolean => random() * 100 < percent;

/** A whole number from `low` to `high`, both included. */
export const randomInteger = (low: number, high: number, random: () => number): number =>
  low + Math.floor(random() * (high - low + 1));

export function pickOne<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.min(items.length - 1, Math.floor(random() * items.length))];
  if (item === undefined) throw new Error('pick: nothing to choose from');
  return item;
}

/** Chooses an index by weight. */
export function pickWeighted(weights: readonly number[], random: () => number): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return index;
  }
  return weights.length - 1;
}
