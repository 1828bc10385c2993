import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOptions } from '../harness/bench-command';
import { bench, VARIANTS } from './ablation-bench';
import { ablationMarkdown, ablationTables, withTables } from './ablation-report';
import { type AblationReading, type AblationReport, rowsOf } from './ablation-rows';
import { PIECES } from './pieces';

const ROOT = join(import.meta.dirname, '../..');
const reading = (title: string, round: number, runClientUs: number): AblationReading => ({
  title,
  round,
  figures: { runClientUs, runRedisUs: 1, enqueueClientUs: 2, enqueueRedisUs: 3, logBytes: 500 },
});
const VARIANT = { kind: 'added', side: 'design' } as const;

describe('the rows of the ablation', () => {
  const variants = [
    { ...VARIANT, title: 'base', before: null },
    { ...VARIANT, title: 'more', before: 'base' },
  ];

  it('compare within a round, and take medians', () => {
    const readings = [5, 50, 6].flatMap((us, i) => [
      reading('base', i + 1, us),
      reading('more', i + 1, us + i),
    ]);
    const [base, more] = rowsOf(variants, readings);
    expect(base?.costs.runClientUs).toEqual({ median: 6, more: null });
    // The second round was slow for both.
    expect(more?.costs.runClientUs).toEqual({ median: 8, more: { median: 1, min: 0, max: 2 } });
    expect(more?.costs.enqueueRedisUs).toEqual({ median: 3, more: { median: 0, min: 0, max: 0 } });
  });

  it('stand in the tables with their differences', () => {
    const rows = rowsOf(variants, [reading('base', 1, 7), reading('more', 1, 6.5)]);
    const report = {
      at: '2026-01-02T03:04:05.678Z',
      machine: { processor: 'a processor', cores: 2, memoryGiB: 8, system: 'Linux x64' },
      versions: { redrive: '1.0.0', redis: '7.0.15', node: '20.0.0' },
      rounds: 1,
      concurrency: 100,
      jobs: 20_000,
      rows,
    };
    expect(ablationMarkdown(report)).toContain('| base | 7.0 |  | 1.0 |');
    expect(ablationMarkdown(report)).toContain('| more | 6.5 | −0.5 (−0.5 … −0.5) | 1.0 |');
  });
});

describe('the bench', () => {
  it('measures the plain design, every piece, Redrive and lean, each under its own name', () => {
    const titles = VARIANTS.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles).toEqual(expect.arrayContaining(PIECES.map(({ title }) => title)));
    expect(new Set(VARIANTS.map(({ side }) => side))).toEqual(new Set(['design', 'ours', 'lean']));
    for (const { title, before } of VARIANTS) if (before !== null) expect(titles, title).toContain(before);
  });

  it('writes its results only at the concurrency of the page', () => {
    expect(readOptions(bench, [])).toMatchObject({ out: 'bench/results/ablation' });
    expect(readOptions(bench, ['--concurrency', '1'])).toMatchObject({ out: null });
    expect(readOptions(bench, ['--quick'])).toMatchObject({ out: null });
  });

  it('renews the tables of docs/benchmarks.md, which are those of its results', () => {
    const page = readFileSync(join(ROOT, 'docs/benchmarks.md'), 'utf8');
    const report: AblationReport = JSON.parse(
      readFileSync(join(ROOT, 'bench/results/ablation.json'), 'utf8'),
    );
    expect(withTables(page, ablationTables(report))).toBe(page);
    expect(() => withTables('', 'tables')).toThrow('<!-- ablation -->');
  });
});
