import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usedBetween } from './measure-load';
import { needsOf, withFigures } from './scale-docs';
import { needsAt, shardsFor } from './scale-needs';
import { dimensionsIn, planOf, pointsInRound, queueNames } from './scale-plan';
import { mergeDimensions, type Reading, type ScaleReport, scaleMarkdown, summarise } from './scale-report';

const ROOT = join(import.meta.dirname, '../..');
const COST = {
  enqueueClientUs: 10,
  runClientUs: 100,
  redisUs: 50,
  enqueueRedisUs: null,
  receivedBytes: 1_000,
  sentBytes: 300,
  aofBytes: 1_500,
  memoryBytes: 600,
  runPerSecond: 4_000,
  busiestShare: 0.4,
};

describe('what a rate needs', () => {
  it('is the rate times the cost of a job, with Redis at half', () => {
    expect(needsAt(100_000, 4_000, COST, 600)).toEqual({
      perSecond: 100_000,
      perProcess: 4_000,
      processes: 25,
      processShare: 0.4,
      producerCores: 1,
      redisCores: 5,
      nodes: 10,
      shards: 64,
      toRedisMb: 100,
      fromRedisMb: 30,
      logMb: 150,
      backlogGb: 36,
    });
  });

  it('is at least a Cluster of three, with some shards a node', () => {
    expect(needsAt(1_000, 4_000, COST, 600)).toMatchObject({ processes: 1, nodes: 3, shards: 16 });
    expect([3, 4, 5, 16, 60].map(shardsFor)).toEqual([16, 16, 32, 64, 64]);
  });
});

describe('the plan', () => {
  it('changes one thing in each dimension, and covers what the page says', () => {
    const spans = Object.fromEntries(
      planOf(false).map(({ name, points }) => [name, [points[0]?.value, points.at(-1)?.value]]),
    );
    expect(spans).toEqual({
      shards: [1, 8],
      queues: [1, 10_000],
      processes: [1, 32],
      waiting: [1_000, 5_000_000],
      payload: [100, 65_536],
      rate: [200, 4_000],
      'rate-cluster': [200, 4_000],
    });
  });

  it('takes some of the dimensions, in its own order, and refuses others', () => {
    const names = dimensionsIn(['payload,shards'], planOf(true)).map(({ name }) => name);
    expect(names).toEqual(['shards', 'payload']);
    expect(() => dimensionsIn(['shard'], planOf(true))).toThrow(/no dimension shard\. There are: shards,/);
  });

  it('measures the points that take long once', () => {
    const once = planOf(false).flatMap((dimension) => {
      const again = pointsInRound(dimension, 2);
      return pointsInRound(dimension, 1)
        .filter((point) => !again.includes(point))
        .map(({ value }) => `${dimension.name} ${value}`);
    });
    expect(once).toEqual(['queues 10000', 'processes 32', 'waiting 1000000', 'waiting 5000000']);
  });

  it('names queues apart', () => {
    expect(queueNames(1)).toEqual(['bench']);
    expect(new Set(queueNames(10_000)).size).toBe(10_000);
  });
});

describe('the report', () => {
  const [shards] = planOf(true);
  if (!shards) throw new Error('The plan is empty.');
  const readings: Reading[] = [10, 30, 20].map((redisUs) => ({ value: 1, figures: { ...COST, redisUs } }));

  it('has the median of all rounds, and leaves out what failed', () => {
    const { points } = summarise(shards, readings);
    expect(points).toHaveLength(1);
    expect(points[0]).toMatchObject({ value: 1, rounds: 3, redisUs: 20, totalMinUs: 120, totalMaxUs: 140 });
    const report: ScaleReport = { ...STAMP, rounds: 3, dimensions: [summarise(shards, readings)] };
    expect(scaleMarkdown(report)).toContain('| 1 | 10.0 | 100 | 20.0 | 130 | 120–140 | 1.00 |');
  });

  it('counts what all nodes used in between, and how much of it the busiest', () => {
    const before = { nodeUs: [10, 20, 30], received: 5, sent: 6, aofBytes: 7 };
    const after = { nodeUs: [20, 50, 90], received: 15, sent: 26, aofBytes: 37 };
    expect(usedBetween(before, after)).toEqual({
      us: 100,
      busiestShare: 0.6,
      received: 10,
      sent: 20,
      aofBytes: 30,
    });
  });
});

const STAMP = {
  at: '2026-01-01T00:00:00.000Z',
  machine: { processor: 'x', cores: 2, memoryGiB: 8, system: 'Linux x64' },
  versions: { redrive: '0', redis: '0', node: '0' },
};

describe('docs/scale.md', () => {
  const page = readFileSync(join(ROOT, 'docs/scale.md'), 'utf8');
  const results = join(ROOT, 'bench/results/scale');
  const report: ScaleReport = JSON.parse(readFileSync(`${results}.json`, 'utf8'));

  it('has the figures of the last whole run', () => {
    expect(withFigures(page, report)).toBe(page);
    expect(needsOf(report)).toHaveLength(4);
    expect(
      mergeDimensions(results, [])
        .map(({ name }) => name)
        .sort(),
    ).toEqual(
      planOf(false)
        .map(({ name }) => name)
        .sort(),
    );
  });

  it('would not hide other figures', () => {
    const other = {
      ...report,
      dimensions: report.dimensions.map((dimension) => ({
        ...dimension,
        points: dimension.points.map((point) => ({ ...point, redisUs: point.redisUs * 2 })),
      })),
    };
    expect(withFigures(page, other)).not.toBe(page);
    expect(() => withFigures('no marks', report)).toThrow(/needs the lines/);
  });
});
