import { describe, expect, it } from 'vitest';
import { growthOf, judgeGrowth, type Series } from './growth-verdict';

const series = (values: readonly number[], change: Partial<Series> = {}): Series => ({
  name: 'console: heap',
  unit: 'bytes',
  values,
  allowed: 5e6,
  ...change,
});
const samples = (of: (i: number) => number) => Array.from({ length: 40 }, (_, i) => of(i));

describe('the judge of growth', () => {
  it('compares the second quarter with the last, whatever the first and single peaks were', () => {
    const values = samples((i) => (i < 10 ? 90e6 : i === 35 ? 200e6 : 50e6));
    expect(growthOf(values)).toEqual({ second: 50e6, last: 50e6 });
    expect(judgeGrowth([series(values)])).toEqual([]);
  });

  it('finds what grows slowly: half of the whole growth lies between the two quarters', () => {
    expect(judgeGrowth([series(samples((i) => 50e6 + i * 1e6))])).toEqual([
      'console: heap grew by 20.00 MB, and may grow by 5.00 MB.',
    ]);
    const nodes = { name: '/dead: DOM nodes', unit: 'count', allowed: 500 } as const;
    expect(
      judgeGrowth([
        series(
          samples((i) => i * 100),
          nodes,
        ),
      ]),
    ).toEqual(['/dead: DOM nodes grew by 2,000, and may grow by 500.']);
  });

  it('says nothing good of what was hardly measured', () => {
    expect(judgeGrowth([series([1, 2, 3])])).toEqual([expect.stringMatching(/was measured 3 times/)]);
    expect(judgeGrowth([series(samples(() => Number.NaN))])).toHaveLength(1);
  });
});
