/** The lab's controls: labels and bounds. Values that span decades move in steps. */
import type { LabSettings } from '@/lib/contract/lab/lab-schemas';
import { LAB_MAX_WORKERS } from '@/lib/contract/lab/lab-settings';
import { duration } from '@/lib/format/duration';
import { rate } from '@/lib/format/number';

export type NumberKey = {
  [Key in keyof LabSettings]: LabSettings[Key] extends number ? Key : never;
}[keyof LabSettings];

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

export const sameSettings = (a: LabSettings, b: LabSettings): boolean =>
  (Object.keys(b) as (keyof LabSettings)[]).every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]));
