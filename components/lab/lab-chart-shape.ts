/** The lab's chart as shapes: stacked states over the last five minutes. Pure. */
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { LabSample } from '@/lib/contract/lab/lab-schemas';
import { LAB_SAMPLE_EVERY_MS, LAB_SAMPLES_MAX } from '@/lib/contract/lab/lab-settings';

export const CHART_SPAN_MS = LAB_SAMPLE_EVERY_MS * LAB_SAMPLES_MAX;
/** A supervisor that missed this much was not running: a gap, not a line. */
const GAP_MS = 4 * LAB_SAMPLE_EVERY_MS;

/** From the bottom up. */
export const CHART_STATES = [
  { state: 'in-flight', value: (sample: LabSample) => sample.inFlight },
  { state: 'retry', value: (sample: LabSample) => sample.retry },
  { state: 'scheduled', value: (sample: LabSample) => sample.scheduled },
  { state: 'held', value: (sample: LabSample) => sample.held },
  { state: 'ready', value: (sample: LabSample) => sample.ready },
] as const satisfies readonly { state: JobState; value: (sample: LabSample) => number }[];

export interface ChartShape {
  /** The upper end of the scale, in jobs. */
  top: number;
  /** Path data in a box of 1,000 × 100, from the bottom up. */
  areas: readonly { state: JobState; path: string }[];
  /** x (0 to 1,000) of each interval with crashes, and how many. */
  crashes: readonly { x: number; count: number }[];
}

const total = (sample: LabSample): number => CHART_STATES.reduce((sum, { value }) => sum + value(sample), 0);

/** 1, 2 or 5 times a power of ten, at least 10. */
export function niceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(10, most)));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= most) ?? 10 * power;
}

/** @param now the right end of the time axis */
export function chartShape(samples: readonly LabSample[], now: number): ChartShape {
  const shown = samples.filter(({ at }) => at > now - CHART_SPAN_MS && at <= now);
  const top = niceTop(Math.max(0, ...shown.map(total)));
  const x = ({ at }: LabSample) => (1_000 * (at - now + CHART_SPAN_MS)) / CHART_SPAN_MS;
  const runs: LabSample[][] = [];
  for (const sample of shown) {
    const last = runs.at(-1)?.at(-1);
    if (last && sample.at - last.at <= GAP_MS) runs.at(-1)?.push(sample);
    else runs.push([sample]);
  }
  const areas = CHART_STATES.map(({ state }, level) => {
    const height = (sample: LabSample, levels: number) =>
      100 - (100 * CHART_STATES.slice(0, levels).reduce((sum, { value }) => sum + value(sample), 0)) / top;
    const point = (sample: LabSample, levels: number) =>
      `${x(sample).toFixed(1)} ${height(sample, levels).toFixed(1)}`;
    const path = runs
      .map((run) => {
        const upper = run.map((sample) => point(sample, level + 1));
        const lower = run.map((sample) => point(sample, level)).reverse();
        return `M${[...upper, ...lower].join('L')}Z`;
      })
      .join('');
    return { state, path };
  });
  const crashes = shown.slice(1).flatMap((sample, i) => {
    const count = sample.crashes - (shown[i]?.crashes ?? sample.crashes);
    return count > 0 ? [{ x: x(sample), count }] : [];
  });
  return { top, areas, crashes };
}
