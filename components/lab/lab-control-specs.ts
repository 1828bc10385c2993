/** The lab's controls: labels and bounds. Values that span decades move in steps. */
import type { LabSettings } from '@/lib/contract/lab/lab-schemas';
import { LAB_DEFAULTS, LAB_MAX_WORKERS } from '@/lib/contract/lab/lab-settings';
import { duration } from '@/lib/format/duration';
import { rate } from '@/lib/format/number';

export type NumberKey = Exclude<keyof LabSettings, 'kinds' | 'brokenKinds'>;

export interface ControlSpec {
  key: NumberKey;
  label: string;
  min?: number;
  max?: number;
  unit?: string;
  steps?: readonly number[];
  format?: (value: number) => string;
  hint?: string;
  danger?: boolean;
}

const RUN_TIMES = [
  0, 20, 50, 100, 200, 300, 400, 600, 800, 1_000, 1_500, 2_000, 3_000, 5_000, 8_000, 12_000, 20_000, 30_000,
];
const RATES = [0, 0.5, 1, 2, 4, 6, 8, 10, 12, 15, 20, 30, 40, 60, 80, 100, 150, 200, 300, 500];
const LEASES = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 45, 60].map((seconds) => seconds * 1_000);

export const CONTROL_GROUPS: readonly { title: string; controls: readonly ControlSpec[] }[] = [
  {
    title: 'Faults',
    controls: [
      {
        key: 'crashPercent',
        label: 'Crash',
        unit: '%',
        danger: true,
        hint: 'Share of runs in which the worker process is killed (real SIGKILL).',
      },
      { key: 'failPercent', label: 'Failure', unit: '%' },
      { key: 'hangPercent', label: 'Hang', unit: '%' },
    ],
  },
  {
    title: 'Workers',
    controls: [
      { key: 'workers', label: 'Workers', max: LAB_MAX_WORKERS },
      { key: 'concurrency', label: 'Concurrency', min: 1, max: 20 },
      { key: 'leaseMs', label: 'Lease length', steps: LEASES, format: duration },
    ],
  },
  {
    title: 'Traffic',
    controls: [
      { key: 'trafficPerSecond', label: 'Traffic', steps: RATES, format: rate },
      { key: 'delayedPercent', label: 'Delayed', unit: '%' },
      { key: 'prioritisedPercent', label: 'Prioritised', unit: '%' },
      { key: 'tenants', label: 'Tenants', min: 1, max: 50 },
    ],
  },
  {
    title: 'Jobs',
    controls: [
      { key: 'runTimeMs', label: 'Run time', steps: RUN_TIMES, format: duration },
      { key: 'runTimeSpreadPercent', label: 'Spread', unit: '%', format: (value) => `± ${value}%` },
      { key: 'maxAttempts', label: 'Max attempts', min: 1, max: 50 },
    ],
  },
];

/** The step nearest to a value, which may have been set elsewhere. */
export function nearestStep(steps: readonly number[], value: number): number {
  let best = 0;
  for (const [i, step] of steps.entries()) {
    if (Math.abs(step - value) < Math.abs((steps[best] ?? 0) - value)) best = i;
  }
  return best;
}

export const PRESETS: readonly { name: string; title: string; settings: LabSettings }[] = [
  {
    name: 'Calm',
    title: 'Almost nothing fails',
    settings: { ...LAB_DEFAULTS, failPercent: 1 },
  },
  {
    name: 'Flaky downstream',
    title: 'Two runs in five fail; retries pile up and some jobs die',
    settings: { ...LAB_DEFAULTS, failPercent: 40, runTimeMs: 600, trafficPerSecond: 10, maxAttempts: 4 },
  },
  {
    name: 'Crash storm',
    title: 'Workers are killed mid-run; their jobs return',
    settings: { ...LAB_DEFAULTS, workers: 6, crashPercent: 4, runTimeMs: 1_000, trafficPerSecond: 10 },
  },
  {
    name: 'Slow & hanging',
    title: 'Runs take seconds, some never end: watch the leases',
    settings: {
      ...LAB_DEFAULTS,
      workers: 6,
      concurrency: 4,
      runTimeMs: 3_000,
      hangPercent: 5,
      leaseMs: 5_000,
      trafficPerSecond: 6,
    },
  },
];

export const sameSettings = (a: LabSettings, b: LabSettings): boolean =>
  (Object.keys(b) as (keyof LabSettings)[]).every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]));
