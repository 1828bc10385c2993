import { describe, expect, it } from 'vitest';
import { drillSettings, LAB_DRILLS } from '@/lib/contract/lab/lab-drills';
import { labSettingsSchema } from '@/lib/contract/lab/lab-schemas';
import { LAB_DEFAULTS } from '@/lib/contract/lab/lab-settings';
import { CONTROL_GROUPS, nearestStep } from './lab-control-specs';

describe('the lab controls', () => {
  it('offer every number of the settings once', () => {
    const keys = CONTROL_GROUPS.flatMap(({ controls }) => controls.map(({ key }) => key));
    const numbers = Object.entries(LAB_DEFAULTS).flatMap(([key, value]) =>
      typeof value === 'number' ? [key] : [],
    );
    expect([...keys].sort()).toEqual(numbers.sort());
  });
  it('never offer what the API refuses', () => {
    for (const { key, min = 0, max = 100, steps } of CONTROL_GROUPS.flatMap(({ controls }) => controls)) {
      for (const value of [steps?.[0] ?? min, steps?.at(-1) ?? max]) {
        expect(labSettingsSchema.safeParse({ ...LAB_DEFAULTS, [key]: value }).success, key).toBe(true);
      }
    }
  });
  it('start every drill with valid settings of its own', () => {
    const drills = LAB_DRILLS.map(drillSettings);
    for (const settings of drills) expect(labSettingsSchema.safeParse(settings).error).toBeUndefined();
    expect(drills.every(({ failPercent }) => failPercent === 0)).toBe(true);
  });
  it('find the nearest step to a value set elsewhere', () => {
    expect(nearestStep([0, 10, 100], 12)).toBe(1);
    expect(nearestStep([0, 10, 100], 5_000)).toBe(2);
  });
});
