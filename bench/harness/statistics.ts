/** Numbers of a few rounds on a machine that is never quite quiet: medians, and how far they spread. */

/** The middle value; of an even number of values the mean of the two in the middle. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The smallest value that at least `share` of all values do not exceed. NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

export interface Spread {
  median: number;
  min: number;
  max: number;
}
/** Null of no values. */
export function spread(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/**
 * What one side measured as a multiple of another, round by round: the machine drifts from round to round, but both sides
 * of a round met the same machine. A round in which either is missing does not count.
 */
export function sameRoundRatios(
  ours: readonly (number | null)[],
  theirs: readonly (number | null)[],
): number[] {
  const ratios: number[] = [];
  for (let round = 0; round < Math.min(ours.length, theirs.length); round++) {
    const [a, b] = [ours[round], theirs[round]];
    if (typeof a === 'number' && typeof b === 'number' && b > 0) ratios.push(a / b);
  }
  return ratios;
}
