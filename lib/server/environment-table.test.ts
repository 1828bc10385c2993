/** docs/deploy/configuration.md shows the settings as they are; `vitest -u` writes its tables anew. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { environmentSchema } from './environment';
import { CONSOLE_SETTINGS, OTHER_SETTINGS, type SettingRow, TRACE_SETTINGS } from './environment-table';

const PAGE = join(import.meta.dirname, '../../docs/deploy/configuration.md');
const shape: Record<string, z.ZodType> = environmentSchema.shape;

/** The schema below its default: an enum has words. */
function inner(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodOptional
    ? inner(schema.unwrap() as z.ZodType)
    : schema;
}

function wordsOf(name: string): string[] | null {
  const schema = shape[name] && inner(shape[name]);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : null;
}

function defaultOf(name: string, { otherwise }: SettingRow): string {
  if (otherwise !== undefined) return otherwise;
  const value = shape[name]?.safeParse(undefined).data;
  if (value === undefined || (typeof value === 'object' && Object.keys(value as object).length === 0))
    return '–';
  return `\`${String(value)}\``;
}

function rowOf([name, row]: [string, SettingRow]): string {
  const words = wordsOf(name)?.map((word) => `\`${word}\``);
  const type = `${words ? words.join(', ') : row.type}${row.unit ? `, in ${row.unit}` : ''}${row.secret ? ' (secret)' : ''}`;
  return `| \`${name}\` | ${type} | ${defaultOf(name, row)} | ${row.meaning} |`;
}

const table = (rows: Record<string, SettingRow>) =>
  ['| setting | value | default | meaning |', '|---|---|---|---|', ...Object.entries(rows).map(rowOf)].join(
    '\n',
  );

it('docs/deploy/configuration.md shows every setting with its value, default and meaning', async () => {
  const [intro = ''] = readFileSync(PAGE, 'utf8').split('## The console\n');
  const page = [
    `${intro}## The console`,
    table(CONSOLE_SETTINGS),
    '## Commands and scripts',
    table(OTHER_SETTINGS),
    '## Traces',
    'Of the console and of the demo worker; see [traces](../operate/traces.md).',
    `${table(TRACE_SETTINGS)}\n`,
  ].join('\n\n');
  await expect(page).toMatchFileSnapshot(PAGE);
});

it('the settings of traces are those that are read', () => {
  const source = readFileSync(join(import.meta.dirname, '../tracing/tracing-settings.ts'), 'utf8');
  const read = [...source.matchAll(/'(OTEL_[A-Z_]+)'/g)].map(([, name]) => name);
  expect(Object.keys(TRACE_SETTINGS).sort()).toEqual([...new Set(read)].sort());
});

it('a setting is of a type, or one of the words of the schema', () => {
  for (const [name, row] of Object.entries<SettingRow>(CONSOLE_SETTINGS))
    expect(row.type !== undefined, name).toBe(wordsOf(name) === null);
});

it('a name that ends in a unit says it in the table, and a secret is marked', () => {
  for (const [name, row] of Object.entries<SettingRow>(CONSOLE_SETTINGS)) {
    expect(row.unit, name).toBe(/_(MINUTES|HOURS|DAYS)$/.exec(name)?.[1]?.toLowerCase());
    if (/(SECRET|KEY)$/.test(name)) expect(row.secret, name).toBe(true);
  }
});
