/** Whether something grows for as long as it is watched. Pure. */
import { median } from '../harness/statistics';
import { megabytes } from './soak-verdict';

/** Fewer samples have no quarters worth comparing. */
export const SAMPLES_MIN = 12;

export interface Series {
  /** What was measured: "console: heap". */
  readonly name: string;
  readonly unit: 'bytes' | 'count';
  /** In the order of time. */
  readonly values: readonly number[];
  /** The last quarter may be above the second by so much. */
  readonly allowed: number;
}

export interface Growth {
  readonly second: number;
  readonly last: number;
}

/** The medians of the second quarter and of the last: the first quarter fills caches and compiles code. */
export function growthOf(values: readonly number[]): Growth {
  const quarter = Math.floor(values.length / 4);
  return {
    second: median(values.slice(quarter, 2 * quarter)),
    last: median(values.slice(values.length - quarter)),
  };
}

/** @returns a sentence for each series that grew */
export function judgeGrowth(all: readonly Series[]): string[] {
  return all.flatMap((series) => {
    const { name, values, allowed, unit } = series;
    if (values.length < SAMPLES_MIN || values.some(Number.isNaN))
      return [`${name} was measured ${values.length} times, and must be at least ${SAMPLES_MIN} times.`];
    const { second, last } = growthOf(values);
    const grown = last - second;
    return grown > allowed
      ? [`${name} grew by ${inUnit(grown, unit)}, and may grow by ${inUnit(allowed, unit)}.`]
      : [];
  });
}

export const inUnit = (value: number, unit: Series['unit']): string =>
  unit === 'bytes' ? megabytes(value) : Math.round(value).toLocaleString('en');
