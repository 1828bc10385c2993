/** docs/deploy/configuration.md shows the settings as they are; `vitest -u` writes its tables anew. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { environmentSchema } from './environment';
import { CONSOLE_SETTINGS, OTHER_SETTINGS, type SettingRow } from './environment-table';

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
  const page = `${intro}## The console\n\n${table(CONSOLE_SETTINGS)}\n\n## Commands and scripts\n\n${table(OTHER_SETTINGS)}\n`;
  await expect(page).toMatchFileSnapshot(PAGE);
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
