const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

function pair(big: number, bigUnit: string, small: number, smallUnit: string): string {
  const head = `${big.toLocaleString('en-US')} ${bigUnit}`;
  return small === 0 ? head : `${head} ${small} ${smallUnit}`;
}

/**
 * Milliseconds as people read them, in at most two units: `840 ms`, `4.2 s`, `3 m 12 s`, `2 h 5 m`, `6 d 4 h`.
 * Rounds before it chooses the unit, so 59.99 s reads `1 m` and never `60 s`.
 */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return '–';
  if (ms < 0) return ms > -0.5 ? '0 ms' : `-${duration(-ms)}`;
  if (ms === 0) return '0 ms';
  if (ms < 1) return '<1 ms';
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const s = Math.round(ms / 1000);
  if (s < MINUTE) return `${s} s`;
  if (s < HOUR) return pair(Math.floor(s / MINUTE), 'm', s % MINUTE, 's');
  if (s < DAY) return pair(Math.floor(s / HOUR), 'h', Math.floor((s % HOUR) / MINUTE), 'm');
  return pair(Math.floor(s / DAY), 'd', Math.floor((s % DAY) / HOUR), 'h');
}

/** One unit, rounded down, for places where the second one is noise: `4 s`, `3 m`, `2 h`, `6 d`. */
export function coarseDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return '–';
  if (ms < 0) return `-${coarseDuration(-ms)}`;
  const s = Math.floor(ms / 1000);
  if (s < MINUTE) return `${s} s`;
  if (s < HOUR) return `${Math.floor(s / MINUTE)} m`;
  if (s < DAY) return `${Math.floor(s / HOUR)} h`;
  return `${Math.floor(s / DAY).toLocaleString('en-US')} d`;
}

const AXIS_UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** One unit and at most one decimal, for an axis: `600 ms`, `1.5 m`, `2 h`. */
export function axisDuration(ms: number): string {
  const [unit, size] = AXIS_UNITS.find(([, length]) => ms >= length) ?? (['ms', 1] as const);
  return `${Number((ms / size).toFixed(1))} ${unit}`;
}
