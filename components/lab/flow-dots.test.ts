import { describe, expect, test } from 'vitest';
import { LAB_DEFAULTS } from '@/lib/contract/lab';
import type { Movement } from '@/lib/contract/live';
import { DOTS_MAX, dotsFor } from './flow-dots';
import { PRESETS, presetOf } from './presets';

const move = (id: string, event: string, count = 1): Movement => ({
  id,
  at: 0,
  queue: 'default',
  event,
  count,
  jobIds: [],
  worker: null,
});

describe('dots', () => {
  test('follow movements that have a road, once each', () => {
    const movements = [move('1', 'claimed', 2), move('2', 'completed'), move('3', 'paused')];
    const dots = dotsFor(movements, new Set(), DOTS_MAX);
    expect(dots.map((dot) => dot.road.id)).toEqual(['claim', 'claim', 'complete']);
    expect(dotsFor(movements, new Set(['1', '2', '3']), DOTS_MAX)).toEqual([]);
  });
  test('a large batch is a few dots, and the board never holds more than its room', () => {
    expect(dotsFor([move('1', 'ready', 5_000)], new Set(), DOTS_MAX)).toHaveLength(6);
    const storm = Array.from({ length: 50 }, (_, i) => move(String(i), 'claimed', 10));
    expect(dotsFor(storm, new Set(), 10)).toHaveLength(10);
    expect(dotsFor(storm, new Set(), 0)).toEqual([]);
  });
  test('start within the second they stand for', () => {
    const dots = dotsFor(
      Array.from({ length: 20 }, (_, i) => move(String(i), 'ready', 3)),
      new Set(),
      100,
    );
    expect(Math.max(...dots.map((dot) => dot.delayMs))).toBeLessThan(1_000);
    expect(Math.min(...dots.map((dot) => dot.delayMs))).toBe(0);
  });
});

describe('presets', () => {
  test('are recognised whatever the order of kinds, and a change is none of them', () => {
    expect(presetOf({ ...LAB_DEFAULTS, kinds: [...LAB_DEFAULTS.kinds].reverse() })).toBe('Calm');
    expect(presetOf({ ...LAB_DEFAULTS, crashPercent: 1 })).toBeNull();
    for (const preset of PRESETS) expect(presetOf(preset.settings)).toBe(preset.name);
  });
});
