/** The dead-letter filter in words and as form values; pure. */
import type { DeadFilter } from '@/lib/contract/dead';

/** The fields that hold one value each, in the order they are shown. */
export const FACET_FIELDS = ['queue', 'class', 'code', 'type', 'tenant'] as const;
export type FacetField = (typeof FACET_FIELDS)[number];

export const FIELD_WORD: Readonly<Record<FacetField, string>> = {
  queue: 'Queue',
  class: 'Class',
  code: 'Code',
  type: 'Type',
  tenant: 'Tenant',
};

const HOUR = 3_600_000;
export const AGE_PRESETS = [
  { value: 'any', label: 'Any age', minAgeMs: undefined, maxAgeMs: undefined },
  { value: 'last-1h', label: 'Died ≤ 1 h ago', minAgeMs: undefined, maxAgeMs: HOUR },
  { value: 'last-24h', label: 'Died ≤ 24 h ago', minAgeMs: undefined, maxAgeMs: 24 * HOUR },
  { value: 'before-1h', label: 'Died > 1 h ago', minAgeMs: HOUR, maxAgeMs: undefined },
  { value: 'before-24h', label: 'Died > 24 h ago', minAgeMs: 24 * HOUR, maxAgeMs: undefined },
] as const;

/** The preset a filter's ages are, or `custom`. */
export const agePresetOf = ({ minAgeMs, maxAgeMs }: DeadFilter): string =>
  AGE_PRESETS.find((preset) => preset.minAgeMs === minAgeMs && preset.maxAgeMs === maxAgeMs)?.value ??
  'custom';

const UNITS = { s: 1_000, m: 60_000, h: HOUR, d: 24 * HOUR } as const;
const AGE_MAX_MS = 366 * UNITS.d;

/** "90m", "2 h", "3d" in milliseconds; null when it is no age, or more than a year. */
export function parseAge(text: string): number | null {
  const found = /^(\d{1,6})\s*([smhd])$/i.exec(text.trim());
  if (!found) return null;
  const unit = UNITS[(found[2] ?? '').toLowerCase() as keyof typeof UNITS];
  const ms = Number(found[1]) * unit;
  return ms <= AGE_MAX_MS ? ms : null;
}

/** The same back, exactly, in the largest unit that fits. */
export function ageText(ms: number): string {
  for (const unit of ['d', 'h', 'm'] as const) {
    if (ms >= UNITS[unit] && ms % UNITS[unit] === 0) return `${ms / UNITS[unit]} ${unit}`;
  }
  return `${Math.round(ms / UNITS.s)} s`;
}

export interface FilterPart {
  key: keyof DeadFilter;
  name: string;
  value: string;
}

/** Each condition of the filter, as a name and a value to read. */
export function filterParts(filter: DeadFilter): FilterPart[] {
  const parts: FilterPart[] = FACET_FIELDS.flatMap((key) => {
    const value = filter[key];
    return value === undefined ? [] : [{ key, name: FIELD_WORD[key], value }];
  });
  if (filter.minAgeMs !== undefined)
    parts.push({ key: 'minAgeMs', name: 'Died', value: `more than ${ageText(filter.minAgeMs)} ago` });
  if (filter.maxAgeMs !== undefined)
    parts.push({ key: 'maxAgeMs', name: 'Died', value: `at most ${ageText(filter.maxAgeMs)} ago` });
  return parts;
}

/** What an operation started from a page may touch. Ages count from the page too, not from when it is confirmed. */
export const cutoffOf = (filter: DeadFilter, pageAt: number): number =>
  Math.max(0, pageAt - (filter.minAgeMs ?? 0));
