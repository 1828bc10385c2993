/** The fields of docs/operate/logs.md, as the tests of log lines read them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, '../../docs/operate/logs.md');
const TYPES: Readonly<Record<string, string>> = { text: 'string', number: 'number', object: 'object' };

/** Field → what `typeof` says of its values. */
export function documentedLogFields(): ReadonlyMap<string, string> {
  const [, table = ''] = readFileSync(PAGE, 'utf8').split('\n## Fields\n');
  return new Map(
    [...table.matchAll(/^\| (`[^|]+`) \| ([^|]+) \|/gm)].flatMap(([, names = '', types = '']) => {
      const of = types.split(',').map((type) => TYPES[type.trim()] ?? '');
      return names
        .split(', ')
        .map((name, i): [string, string] => [name.replaceAll('`', ''), of[i] ?? of[0] ?? '']);
    }),
  );
}

export type LogLine = Readonly<Record<string, unknown>>;

/** The lines of JSON in what a process wrote; the last one may still be under way. */
export const logLines = (output: string): LogLine[] =>
  output
    .slice(0, output.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);

/** One sentence for each field that is not as documented. */
export function logFieldProblems(lines: readonly LogLine[]): string[] {
  const fields = documentedLogFields();
  const problems = lines.flatMap((line) =>
    Object.entries(line).flatMap(([name, value]) => {
      const type = fields.get(name);
      if (type === undefined)
        return [
          `"${name}" of "${line.msg}" has no row in docs/operate/logs.md: add one, or take a field that is there.`,
        ];
      return value === null || typeof value === type ? [] : [`"${name}" of "${line.msg}" is no ${type}.`];
    }),
  );
  return [...new Set(problems)];
}
