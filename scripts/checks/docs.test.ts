/** Documentation that says something is tested: it is, under that name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERROR_CLASSES } from '@/lib/contract/jobs/error-classes';
import {
  AGE_UNITS,
  FIELDS,
  parseQuery,
  QUERY_MAX_CHARS,
  QUERY_MAX_DEPTH,
  QUERY_MAX_PATH_STEPS,
  QUERY_MAX_TERMS,
} from '@/lib/contract/search/query';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
/** Up to the first heading: a later table of the page may count anew. */
const rowsOf = (file: string, first: RegExp) =>
  read(file)
    .split('\n## ', 1)
    .flatMap((part) => part.split('\n'))
    .flatMap((line) => {
      const number = line.match(first)?.[1];
      return number ? [{ number: Number(number), line }] : [];
    });
const filesIn = (line: string) => [...line.matchAll(/`([\w./-]+\.ts)`/g)].map((match) => match[1] ?? '');
/** The title of a test, or of a group of tests, that begins with this number (or a list of numbers with it). */
const titled = (number: number) => new RegExp(`['"\`](?:B\\d+ )*B${number}[: ]`);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe('docs/bug-catalogue.md', () => {
  const rows = rowsOf('docs/bug-catalogue.md', /^\| B(\d+) \|/);

  it('has a row for each of the 38', () => {
    expect(rows.map(({ number }) => number)).toEqual(upTo(38));
  });

  it.each(rows)('B$number has the tests it names, under its number', ({ number, line }) => {
    const files = filesIn(line);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect(existsSync(join(root, file)), file).toBe(true);
      expect(read(file), `a test in ${file} whose title begins with B${number}`).toMatch(titled(number));
    }
  });

  it('what would not count as a title: the check sees it', () => {
    expect("it('B12: of 5,000 jobs')").toMatch(titled(12));
    expect("it('B27 B28 goes on')").toMatch(titled(28));
    expect("it('about B12')").not.toMatch(titled(12));
    expect("it('B123: another')").not.toMatch(titled(12));
  });
});

describe('docs/invariants.md', () => {
  const rows = rowsOf('docs/invariants.md', /^\| (\d+) \|/);

  it('has a row for each of the 26', () => {
    expect(rows.map(({ number }) => number)).toEqual(upTo(26));
  });

  it.each(rows)('$number names files that exist', ({ line }) => {
    const files = filesIn(line);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
  });
});

describe('docs/search.md', () => {
  const page = read('docs/search.md');
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const table = (heading: string) =>
    (page.split(`\n${heading}\n`)[1]?.split('\n## ')[0] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(1)
      .map(cells);
  const code = (cell = '') => cell.replace(/^`|`$/g, '');

  it('has the fields of the language, in their order', () => {
    expect(table('## Terms').map(([field]) => code(field))).toEqual(FIELDS);
    const classes = page.match(/^\| `class` .*$/m)?.[0].match(/`[a-z-]+`/g) ?? [];
    expect(classes.slice(1).map(code)).toEqual(ERROR_CLASSES);
    expect(page).toContain(
      AGE_UNITS.toReversed()
        .slice(0, -1)
        .map((unit) => `\`${unit}\``)
        .join(', '),
    );
  });

  it('has its limits', () => {
    const limits = [QUERY_MAX_CHARS, QUERY_MAX_TERMS, QUERY_MAX_DEPTH, QUERY_MAX_PATH_STEPS];
    expect(table('## Limits').map(([, most]) => most)).toEqual(
      limits.map((limit) => limit.toLocaleString('en')),
    );
  });

  it('has examples that can be read', () => {
    const examples =
      page
        .match(/```query\n([\s\S]*?)```/)?.[1]
        ?.trim()
        .split('\n') ?? [];
    expect(examples.length).toBeGreaterThan(5);
    for (const example of examples) expect(parseQuery(example), example).toMatchObject({ ok: true });
  });

  it('has errors as they are', () => {
    const rows = table('## Errors').map((row) => row.map(code));
    expect(rows.length).toBeGreaterThan(5);
    for (const [query = '', wrong = '', suggestion] of rows)
      expect(parseQuery(query), query).toMatchObject({
        ok: false,
        error: { position: query.lastIndexOf(wrong), length: wrong.length, suggestion },
      });
  });
});

const FOLDERS = ['docs/adr', 'docs/cli', 'docs/console', 'docs/deploy', 'docs/operate'];

it('links between the pages lead somewhere', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...pagesIn('docs'),
    ...FOLDERS.flatMap(pagesIn),
  ];
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#\s]+)?(#[^)\s]+)?\)/g)].flatMap(([, path = '', anchor = '']) => {
      if (/^https?:/.test(path)) return [];
      const target = path === '' ? page : join(page, '..', path);
      if (!existsSync(join(root, target))) return [`${page}: ${path}`];
      if (anchor === '' || !target.endsWith('.md')) return [];
      return anchorsOf(read(target)).has(anchor.slice(1)) ? [] : [`${page}: ${path}${anchor}`];
    }),
  );
  expect(broken).toEqual([]);
});

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`);
}

/** As the usual viewers make them of headings. */
function anchorsOf(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
