import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SideName } from '../sides/bench-side';
import { MEASURES, type Measure } from './bench-measures';
import { judge, type Reading, shortfall } from './bench-verdict';
import { median, quantile, sameRoundRatios, spread } from './statistics';

describe('statistics', () => {
  it('takes the middle, whatever the order', () => {
    expect(median([10, 2, 9])).toBe(9);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
    expect(spread([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
    expect(spread([])).toBeNull();
  });

  it('a quantile is a value that was measured', () => {
    const values = Array.from({ length: 200 }, (_, i) => 200 - i);
    expect(quantile(values, 0.5)).toBe(100);
    expect(quantile(values, 0.99)).toBe(198);
    expect(quantile(values, 1)).toBe(200);
    expect(quantile([7], 0.01)).toBe(7);
    expect(quantile([], 0.5)).toBeNaN();
  });

  it('compares within a round, and drops rounds in which one is missing', () => {
    // The machine halved its speed in the second round: the ratio does not care.
    expect(sameRoundRatios([30, 15], [10, 5])).toEqual([3, 3]);
    expect(sameRoundRatios([30, null, 20, 8], [10, 10, null])).toEqual([3]);
    expect(sameRoundRatios([30], [0])).toEqual([]);
  });
});

const rates: Measure = {
  name: 'm',
  title: 'a rate',
  unit: 'jobs/s',
  better: 'more',
  bar: { of: 'ratio', value: 3 },
  cell: 'c',
  sides: ['ours', 'bullmq'],
};
const readings = (side: SideName, values: readonly number[], measure = 'm'): Reading[] =>
  values.map((value, i) => ({ measure, side, round: i + 1, value }));

describe('judging a measure', () => {
  it('takes the median of same-round ratios, not the ratio of medians', () => {
    const row = judge(rates, [...readings('ours', [40, 10, 90]), ...readings('bullmq', [10, 5, 10])]);
    expect(row).toMatchObject({ ours: 40, ratio: 4, min: 2, max: 9, met: true, rounds: 3 });
    expect(row.peers).toEqual({ bullmq: 10, beeQueue: null, design: null, lean: null });
    expect(row.spread.ours).toEqual({ median: 40, min: 10, max: 90 });
  });

  it('knows which way is better, and that the bar itself is met', () => {
    const exact = [...readings('ours', [30]), ...readings('bullmq', [10])];
    expect(judge(rates, exact).met).toBe(true);
    expect(judge({ ...rates, better: 'less' }, exact).met).toBe(true);
    const above = [...readings('ours', [31]), ...readings('bullmq', [10])];
    expect(judge(rates, above).met).toBe(true);
    expect(judge({ ...rates, better: 'less' }, above).met).toBe(false);
  });

  it('holds a bar in seconds against our own value', () => {
    const seconds: Measure = { ...rates, unit: 's', better: 'less', bar: { of: 'value', value: 1.5 } };
    const row = judge(seconds, [...readings('ours', [1, 2, 1.2]), ...readings('bullmq', [57])]);
    expect(row).toMatchObject({ ours: 1.2, met: true, min: 1, max: 2 });
    expect(judge(seconds, readings('ours', [3]))).toMatchObject({ met: false, ratio: null });
  });

  it('says nothing where nothing was measured, and reads only its own measure', () => {
    const other = [...readings('ours', [1], 'other'), ...readings('bullmq', [9], 'other')];
    expect(judge(rates, other)).toMatchObject({ ours: null, ratio: null, met: null, min: null, rounds: 0 });
    expect(judge({ ...rates, bar: null }, readings('ours', [5]))).toMatchObject({
      ours: 5,
      met: null,
      bar: null,
    });
  });

  it('compares the other sides with BullMQ as well, and takes the median of what a job costs', () => {
    const cpu = (redisUs: number, clientUs: number) => ({ redisUs, clientUs });
    const row = judge(rates, [
      ...readings('lean', [80, 60]),
      ...readings('bullmq', [10, 10]),
      { measure: 'm', side: 'ours', round: 1, value: 30, cpu: cpu(10, 20) },
      { measure: 'm', side: 'ours', round: 2, value: 30, cpu: cpu(14, 30) },
    ]);
    expect(row.ratios).toEqual({ ours: 3, lean: 7 });
    expect(row.cpu).toEqual({ ours: { redisUs: 12, clientUs: 25 } });
  });

  it('says how far a missed bar is away, either way', () => {
    const slow = judge(rates, [...readings('ours', [24]), ...readings('bullmq', [10])]);
    expect(shortfall(slow)).toBeCloseTo(0.2);
    const late = { ...rates, unit: 's', better: 'less', bar: { of: 'value', value: 2 } } as const;
    expect(shortfall(judge(late, readings('ours', [3])))).toBeCloseTo(0.5);
    expect(shortfall(judge(rates, [...readings('ours', [50]), ...readings('bullmq', [10])]))).toBeNull();
  });
});

describe('the list of measures', () => {
  it('names each once', () => {
    expect(new Set(MEASURES.map(({ name }) => name)).size).toBe(MEASURES.length);
  });

  it('is the one of docs/benchmarks.md, with the same bars', () => {
    const lines = readFileSync(join(import.meta.dirname, '../../docs/benchmarks.md'), 'utf8').split('\n');
    for (const { name, bar, better } of MEASURES) {
      const line = lines.find((text) => text.startsWith('|') && text.includes(`\`${name}\``));
      expect(line, name).toBeDefined();
      if (bar) expect(line, name).toContain(`${better === 'more' ? '≥' : '≤'} ${bar.value}`);
    }
  });
});
