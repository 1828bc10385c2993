import { describe, expect, it } from 'vitest';
import { labSettingsSchema } from '@/lib/contract/lab/lab-schemas';
import { LAB_DEFAULTS } from '@/lib/contract/lab/lab-settings';
import { CONTROL_GROUPS, nearestStep, PRESETS, sameSettings } from './lab-control-specs';

describe('the lab controls', () => {
  it('offer every number of the settings once', () => {
    const keys = CONTROL_GROUPS.flatMap(({ controls }) => controls.map(({ key }) => key));
    const numbers = Object.keys(LAB_DEFAULTS).filter((key) => key !== 'kinds' && key !== 'brokenKinds');
    expect([...keys].sort()).toEqual(numbers.sort());
  });
  it('never offer what the API refuses', () => {
    for (const { key, min = 0, max = 100, steps } of CONTROL_GROUPS.flatMap(({ controls }) => controls)) {
      for (const value of [steps?.[0] ?? min, steps?.at(-1) ?? max]) {
        expect(labSettingsSchema.safeParse({ ...LAB_DEFAULTS, [key]: value }).success, key).toBe(true);
      }
    }
  });
  it('have presets that are valid and distinct', () => {
    for (const { name, settings } of PRESETS) {
      expect(labSettingsSchema.safeParse(settings).success, name).toBe(true);
      expect(PRESETS.filter((other) => sameSettings(other.settings, settings))).toHaveLength(1);
    }
  });
  it('find the nearest step to a value set elsewhere', () => {
    expect(nearestStep([0, 10, 100], 12)).toBe(1);
    expect(nearestStep([0, 10, 100], 5_000)).toBe(2);
  });
});
