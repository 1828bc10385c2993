import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bench, namesIn } from '../broker-bench';
import { gradeMarkdown } from '../grader/grader-report';
import { summarise } from '../grader/load-level';
import { bodyOf, bodyWithTenant, PAYLOAD_BYTES } from '../sides/bench-payload';
import { bench as soakBench } from '../soak/soak-bench';
import { readOptions } from './bench-command';
import type { Measure } from './bench-measures';
import { markdown, mergeRows, missed, type Report, writeReport } from './bench-report';
import { checkRuns } from './bench-stage';
import { judge, type Row } from './bench-verdict';
import { ownTimes } from './cpu-profile';

const machine = { processor: 'a processor', cores: 2, memoryGiB: 8, system: 'Linux x64' };
const versions = { redrive: '1.0.0', redis: '7.0.15', node: '20.0.0' };
const at = '2026-01-02T03:04:05.678Z';
const measure = (name: string, better: Measure['better'], bar: Measure['bar']): Measure => ({
  name,
  title: `the ${name}`,
  unit: 'jobs/s',
  better,
  bar,
  cell: 'c',
  sides: ['ours', 'bullmq'],
});
const both = (name: string, ours: number, bullmq: number) => [
  { measure: name, side: 'ours' as const, round: 1, value: ours, cpu: { redisUs: 8, clientUs: 9.25 } },
  { measure: name, side: 'bullmq' as const, round: 1, value: bullmq },
];
const report: Report = {
  machine,
  versions,
  at,
  measures: [
    judge(measure('good', 'more', { of: 'ratio', value: 3 }), both('good', 40_000, 10_000)),
    judge(measure('bad', 'less', { of: 'ratio', value: 0.5 }), both('bad', 0.6, 1)),
    judge(measure('unseen', 'more', { of: 'ratio', value: 2 }), []),
    judge(measure('free', 'more', null), both('free', 5, 1)),
  ],
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redrive-report-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the report of the broker', () => {
  it('names the bars that were missed, and by how much', () => {
    expect(missed(report.measures)).toEqual(['`bad`: 0.60 ×, the bar is ≤ 0.5 ×; 20 % away']);
    const text = markdown(report);
    expect(text).toContain('**1 of 2 bars met.**');
    expect(text).toMatch(/the good \(`good`\) \| jobs\/s \| 40,000 \| 10,000 .*\| 4\.00 × \|.*\| met \|/);
    expect(text).toMatch(/the unseen .*\| not measured \|/);
    expect(text).toContain('| `good` | 8.0 + 9.3 | – |');
  });

  it('shows what failed', () => {
    expect(markdown({ ...report, failures: ['life, round 1, lean: it fell over'] })).toContain(
      '- life, round 1, lean: it fell over',
    );
  });

  it('writes JSON that holds its promises', () => {
    const measures = report.measures.map((row) => ({
      ...row,
      max: row.max === null ? Number.NaN : 4.000049,
    }));
    writeReport(join(folder, 'deep/broker'), { ...report, measures }, 'text\n\n');
    const read = JSON.parse(readFileSync(join(folder, 'deep/broker.json'), 'utf8'));
    expect(read.measures[0]).toMatchObject({
      name: 'good',
      unit: 'jobs/s',
      ours: 40_000,
      peers: { bullmq: 10_000, beeQueue: null, design: null, lean: null },
      ratio: 4,
      bar: 3,
      met: true,
      rounds: 1,
      max: 4,
    });
    expect(read.measures[2]).toMatchObject({ ours: null, met: null, max: null });
    expect(readFileSync(join(folder, 'deep/broker.md'), 'utf8')).toBe('text\n');
  });
});

describe('options', () => {
  it('rows of a short run replace those of an earlier one, and the others stay', () => {
    const folder = mkdtempSync(join(tmpdir(), 'redrive-report-'));
    const path = join(folder, 'broker');
    const row = (name: string, ours: number) => ({ name, ours }) as unknown as Row;
    const values = (rows: readonly Row[]) => rows.map(({ name, ours }) => [name, ours]);
    expect(values(mergeRows(path, [row('a', 1)]))).toEqual([['a', 1]]);
    writeReport(path, { measures: [row('a', 1), row('b', 2)] }, '');
    expect(values(mergeRows(path, [row('b', 3), row('c', 4)]))).toEqual([
      ['a', 1],
      ['b', 3],
      ['c', 4],
    ]);
  });

  it('what is measured in full is written, a taste of it is printed', () => {
    const asked = (...argv: string[]) => readOptions(bench, argv);
    expect(asked()).toMatchObject({ numbers: { rounds: 5 }, texts: {}, out: 'bench/results/broker' });
    expect(asked('--quick', '--rounds', '1')).toMatchObject({ numbers: { rounds: 1 }, out: null });
    expect(asked('--profile')).toMatchObject({ out: null });
    expect(asked('--only', 'run-c1,run-c10', '--out', 'x')).toMatchObject({
      texts: { only: ['run-c1,run-c10'] },
      out: 'x',
    });
    expect(namesIn(['run-c1,run-c10', 'pickup-p50'])).toEqual(['run-c1', 'run-c10', 'pickup-p50']);
    expect(asked('--help')).toBe('help');
    expect(readOptions(soakBench, ['--jobs', '5000'])).toMatchObject({ numbers: { jobs: 5_000 }, out: null });
    expect(readOptions(soakBench, [])).toMatchObject({ out: 'bench/results/soak' });
  });

  it('says what it does not know', () => {
    expect(() => namesIn(['run-c7'])).toThrow(/no measure run-c7\. There are: enqueue-single/);
    expect(() => readOptions(bench, ['--rounds', '0'])).toThrow(
      /--rounds takes a whole number from 1 to 100/,
    );
  });
});

describe('jobs', () => {
  it('all carry 200 bytes, whatever their number and time', () => {
    for (const n of [0, 9, 10, 99_999, 1_000_000])
      for (const sentAt of [undefined, process.hrtime.bigint().toString()])
        expect(Buffer.byteLength(JSON.stringify(bodyOf(n, sentAt)))).toBe(PAYLOAD_BYTES);
    expect(bodyWithTenant(1, undefined, 'acme')).toMatchObject({ n: 1, at: '0', tenant: 'acme' });
  });

  it('must each have run once', () => {
    const ran = (...runs: number[]) => ({
      runs: Buffer.from(runs).toString('base64'),
      cpuUs: 0,
      pickupsUs: [],
    });
    expect(() => checkRuns('ours', 3, [ran(1, 0, 1), ran(0, 1, 0)])).not.toThrow();
    expect(() => checkRuns('ours', 3, [ran(1, 0, 1)])).toThrow('ours did not run 1 of 3 jobs');
    expect(() => checkRuns('lean', 3, [ran(1, 1, 1), ran(0, 1, 0)])).toThrow('ran 1 more than once');
    expect(() => checkRuns('lean', 2, [ran(1, 1, 1)])).toThrow('never sent');
  });
});

describe('the grader', () => {
  const client = { enqueue: [1_000, 2_000], claim: [3_000], ack: [400_000] };

  it('counts every operation of every client', () => {
    const level = summarise(4, 2_000, 160, [client, client]);
    expect(level).toMatchObject({ loops: 4, perSecond: 4, p99Ms: 400, redisUsPerOperation: 20 });
    expect(level.p50Ms).toBe(2);
    expect(level.p99).toEqual({ enqueue: 2, claim: 3, ack: 400 });
  });

  it('says whether the bar is met', () => {
    const level = { ...summarise(2, 1_000, 100, [client]), perSecondMin: 1, perSecondMax: 2 };
    const graded = { machine, versions, at, rounds: 3, bar: { perSecond: 8_000, p99Ms: 5 }, levels: [level] };
    expect(gradeMarkdown({ ...graded, best: level, met: false })).toContain('is **missed**');
    expect(gradeMarkdown({ ...graded, best: level, met: true })).toContain('is met');
    expect(gradeMarkdown({ ...graded, best: null, met: false })).toContain('Nothing was measured.');
  });
});

describe('profiles', () => {
  it('add up own time by function, without waiting', () => {
    const frame = (functionName: string) => ({ functionName, url: '', lineNumber: 0, columnNumber: 0 });
    const profile = {
      nodes: ['(idle)', 'encode', 'send', 'dispatch'].map((name, id) => ({ id, callFrame: frame(name) })),
      samples: [0, 1, 2, 1, 3],
      timeDeltas: [9_000, 2_000, 1_000, 1_000, 5_000],
    };
    const lines = ownTimes(profile, ({ functionName }) => functionName);
    expect(lines.map((line) => line.trim().split(/\s+/))).toEqual([
      ['75.0', '%', '3.0', 'ms', 'encode'],
      ['25.0', '%', '1.0', 'ms', 'send'],
    ]);
  });
});
