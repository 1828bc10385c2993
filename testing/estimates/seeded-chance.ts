/** Chance that is the same at each run (mulberry32). */
export interface Chance {
  /** From 0 up to 1. */
  readonly next: () => number;
  /** Of `from` up to `to`. */
  readonly between: (from: number, to: number) => number;
  /** How many events of a Poisson process fall into a time in which `mean` are expected. */
  readonly poisson: (mean: number) => number;
}

export function seededChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const poisson = (mean: number): number => {
    const bound = Math.exp(-mean);
    let [count, product] = [0, next()];
    for (; product > bound; product *= next()) count += 1;
    return count;
  };
  return { next, between: (from, to) => from + next() * (to - from), poisson };
}
