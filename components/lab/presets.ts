/** Starting points for the lab: whole situations an operator knows, one click each. */
import { LAB_DEFAULTS, type LabSettings } from '@/lib/contract/lab';

export interface Preset {
  name: string;
  what: string;
  settings: LabSettings;
}

export const PRESETS: readonly Preset[] = [
  { name: 'Calm', what: 'The defaults: a few failures, no crashes', settings: LAB_DEFAULTS },
  {
    name: 'Flaky downstream',
    what: 'Almost half of the runs fail; most retry and make it',
    settings: { ...LAB_DEFAULTS, failPercent: 45, runTimeMs: 300 },
  },
  {
    name: 'Crash storm',
    what: 'Every fifth job kills its worker with SIGKILL',
    settings: { ...LAB_DEFAULTS, crashPercent: 20, concurrency: 2, workers: 6, maxAttempts: 12 },
  },
  {
    name: 'Slow and hanging',
    what: 'Long runs, and some that never end until their timeout',
    settings: { ...LAB_DEFAULTS, runTimeMs: 2_500, hangPercent: 15, workers: 8, trafficPerSecond: 6 },
  },
];

/** The preset these settings are, if any. */
export function presetOf(settings: LabSettings): string | null {
  const text = JSON.stringify(sorted(settings));
  return PRESETS.find((preset) => JSON.stringify(sorted(preset.settings)) === text)?.name ?? null;
}

const sorted = (settings: LabSettings) =>
  Object.entries({ ...settings, kinds: [...settings.kinds].sort() }).sort();
