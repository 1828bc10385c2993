/** docs/console/numbers.md names every estimate and every page that shows one. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { queueBreakdownSchema } from '@/lib/contract/queues/breakdown-schemas';
import { overviewSchema, queueSnapshotSchema } from '@/lib/contract/queues/queue-schemas';
import { linesWith, sourcesIn } from '@/testing/project-files';

const TEXT = readFileSync('docs/console/numbers.md', 'utf8');
const [, estimates = '', about = ''] = TEXT.split(/^## /m);
const named = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** Names of values that are rates, shares, percentiles or forecasts. A set rate is none. */
const ESTIMATED = /(PerSecond|Ratio|Share|P95Ms|Needed)$|^drain\.(ms|trend)$/;

function valuesOf(schema: unknown, path: readonly string[] = []): string[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return valuesOf(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return valuesOf(schema.element, path);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, value]) =>
      valuesOf(value, [...path.slice(-1), name]),
    );
  return [path.join('.')];
}

it.each([
  ['queueSnapshotSchema', queueSnapshotSchema],
  ['overviewSchema', overviewSchema],
  ['queueBreakdownSchema', queueBreakdownSchema],
])('%s has no estimate without a row', (_, schema) => {
  const rows = named(estimates);
  const isNamed = (value: string) =>
    rows.some(
      (row) => row === value || value.endsWith(`.${row}`) || row.endsWith(`.${value.split('.').at(-1)}`),
    );
  const found = valuesOf(schema).filter((value) => ESTIMATED.test(value));
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter((value) => !isNamed(value))).toEqual([]);
});

it('each row names a test that there is', () => {
  const tests = named(estimates).filter((name) => name.includes('.test.'));
  expect(tests.length).toBeGreaterThan(10);
  expect(tests.filter((file) => !existsSync(file))).toEqual([]);
});

it('each export of the modules that estimate has a row or serves one', () => {
  const rows = named(estimates);
  for (const name of ['movedPerSecond', 'remainingMs']) expect(rows).toContain(name);
  const exported = linesWith(
    sourcesIn(['lib/contract/operations']),
    /^export function \w*(PerSecond|remaining|left)\w*\(/i,
  );
  expect(
    exported.map((line) => /function (\w+)/.exec(line)?.[1] ?? '').filter((name) => !rows.includes(name)),
  ).toEqual([]);
});

it('each file that says "about" is in the list', () => {
  const lines = linesWith(
    sourcesIn(['components', 'app']),
    /aboutDuration\(|[`,'] ?about \$\{|>about |^\s*about </,
  );
  const files = [...new Set(lines.map((line) => line.slice(0, line.indexOf(': '))))];
  const isOfTime = (file: string) => file !== 'components/alerts/silence-dialog.tsx';
  expect(files.filter(isOfTime).sort()).toEqual(named(about).sort());
});
