/** How a backlog drains, in words. */
import type { DrainForecast } from '@/lib/contract/queues/queue-schemas';
import { rate } from '@/lib/format/number';
import { count } from '@/lib/format/plural';

const STEPS: readonly (readonly [upToMs: number, stepMs: number])[] = [
  [100_000, 5_000],
  [600_000, 30_000],
  [3_600_000, 60_000],
  [36_000_000, 600_000],
];
const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

/** Rounded, because a forecast is no measurement: `under 5 s`, `about 40 s`, `about 3 m`, `about 2 h 10 m`, `about 4 d`. */
export function aboutDuration(ms: number): string {
  if (ms < 5_000) return 'under 5 s';
  const step = STEPS.find(([upTo]) => ms < upTo)?.[1] ?? HOUR_MS;
  const rounded = Math.max(step, Math.round(ms / step) * step);
  if (rounded < 2 * MINUTE_MS && rounded % MINUTE_MS !== 0) return `about ${rounded / 1_000} s`;
  if (rounded < HOUR_MS) return `about ${Math.round(rounded / MINUTE_MS)} m`;
  if (rounded < 2 * DAY_MS) {
    const [hours, minutes] = [Math.floor(rounded / HOUR_MS), Math.round((rounded % HOUR_MS) / MINUTE_MS)];
    return minutes === 0 ? `about ${hours} h` : `about ${hours} h ${minutes} m`;
  }
  return `about ${Math.round(rounded / DAY_MS).toLocaleString('en-US')} d`;
}

/** `about 40 s`, `growing 6/s`, `steady`; `growing`, `shrinking`: how fast is not known well enough. */
export function drainText({ trend, ms, growthPerSecond }: DrainForecast): string {
  if (trend === 'growing' && growthPerSecond !== null) return `growing ${rate(rounded(growthPerSecond))}`;
  return ms === null ? trend : aboutDuration(ms);
}

/** `needs 2 more workers`; null: not known, or none are needed. */
export const workersNeededText = ({ workersNeeded }: DrainForecast): string | null =>
  workersNeeded === null ? null : `needs ${count(workersNeeded, 'more worker')}`;

/** Two digits: the third is noise. */
const rounded = (value: number): number => Number(value.toPrecision(value < 100 ? 2 : 3));
