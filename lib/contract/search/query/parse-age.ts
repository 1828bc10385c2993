/** Ages as they are typed: a whole number and one unit. */

const UNITS = [
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;
export const AGE_UNITS: readonly string[] = UNITS.map(([unit]) => unit);

/** Only digits, so that "1e3", "0x10" and " 7" are not numbers here. */
const isDigits = (text: string): boolean => {
  for (const char of text) if (char < '0' || char > '9') return false;
  return text !== '';
};

/** Null: not an age. */
export function parseAge(text: string): number | null {
  let end = 0;
  while (end < text.length && isDigits(text[end] ?? '')) end += 1;
  const unitMs = UNITS.find(([unit]) => unit === text.slice(end))?.[1];
  if (end === 0 || unitMs === undefined) return null;
  const ms = Number(text.slice(0, end)) * unitMs;
  return Number.isSafeInteger(ms) ? ms : null;
}

/** In the largest unit that says it exactly: `1h`, `90m`. */
export function printAge(ms: number): string {
  for (const [unit, unitMs] of UNITS) if (ms >= unitMs && ms % unitMs === 0) return `${ms / unitMs}${unit}`;
  return '0s';
}
