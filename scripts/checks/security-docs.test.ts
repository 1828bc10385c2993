/** docs/security.md against the tests: each row is there, and each test it names exists, in that file and under that title. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasTest, type NamedTests, testsIn } from './named-tests';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const page = read('docs/security.md');

/** Requirements of ASVS 5.0 that apply to a console of job queues. */
const ASVS = `1.1.1 1.2.2 1.2.9 1.2.10 1.3.6 1.3.12 1.5.2 1.5.3 2.2.1 2.3.2 2.3.3 2.3.4 2.3.5 2.4.1
  3.3.1 3.3.2 3.3.3 3.3.4 3.4.1 3.4.2 3.4.3 3.4.4 3.4.5 3.4.6 3.4.8 3.5.1 3.5.2 3.5.3 3.5.8 3.7.2 4.1.4 4.4.2
  6.1.1 6.2.1 6.2.2 6.2.4 6.2.9 6.3.1 6.3.2 6.3.8 7.2.1 7.2.2 7.2.3 7.2.4 7.3.1 7.3.2 7.4.1 7.4.2 7.4.5 7.5.3
  8.1.1 8.2.1 8.2.2 8.2.3 8.3.1 8.3.2 8.3.3 8.4.2 12.1.1 12.2.1 12.3.1 12.3.2 13.2.1 13.2.2 13.2.3 13.2.4 13.3.1 13.4.2 13.4.6
  14.2.1 14.2.2 14.3.1 14.3.2 15.1.2 15.2.1 15.2.2 15.2.3 15.2.4 15.3.1 15.3.3 15.3.6 15.3.7 15.4.2
  16.1.1 16.2.1 16.2.2 16.2.3 16.2.4 16.2.5 16.3.1 16.3.2 16.3.3 16.4.1 16.4.2 16.5.1 16.5.2 16.5.3 16.5.4`
  .trim()
  .split(/\s+/);

interface Row {
  readonly ids: readonly string[];
  readonly cells: readonly string[];
  /** What shows it: the last cell. */
  readonly tests: readonly NamedTests[];
}

const rows: Row[] = page.split('\n').flatMap((line) => {
  const cells = line
    .split('|')
    .map((cell) => cell.trim())
    .slice(1, -1);
  const ids = (cells[0] ?? '').split(', ');
  return ids.every((id) => /^([SHMLNF]\d+|\d+\.\d+\.\d+)$/.test(id))
    ? [{ ids, cells, tests: testsIn(cells.at(-1) ?? '') }]
    : [];
});

describe('docs/security.md', () => {
  it('has a row for each weakness, in order', () => {
    const numbers = rows.flatMap(({ ids }) => ids).filter((id) => id.startsWith('S'));
    expect(numbers).toEqual(Array.from({ length: 23 }, (_, i) => `S${i + 1}`));
  });

  it('has a row for each finding of the reviews, in order', () => {
    const counts = { H: 3, M: 7, L: 7, N: 9, F: 7 };
    const expected = Object.entries(counts).flatMap(([letter, count]) =>
      Array.from({ length: count }, (_, i) => `${letter}${i + 1}`),
    );
    expect(rows.flatMap(({ ids }) => ids).filter((id) => /^[HMLNF]/.test(id))).toEqual(expected);
  });

  it('has each requirement, once', () => {
    const ids = rows.flatMap((row) => row.ids).filter((id) => /^\d/.test(id));
    expect([...ids].sort()).toEqual([...ASVS].sort());
  });

  it.each(rows.map((row) => [row.ids.join(', '), row] as const))(
    '%s is shown by tests there are',
    (_, { cells, tests }) => {
      for (const cell of cells) expect(cell).not.toBe('');
      expect(tests.length).toBeGreaterThan(0);
      for (const { file, titles } of tests) {
        expect(existsSync(join(ROOT, file)), file).toBe(true);
        expect(titles.length, file).toBeGreaterThan(0);
        const source = read(file);
        for (const title of titles) expect(hasTest(source, title), `${file}: ${title}`).toBe(true);
      }
    },
  );

  it('and what would not count is seen', () => {
    expect(hasTest("it('is there', () => {", 'is there')).toBe(true);
    expect(hasTest("it.each(['a', 'b'])('%s is there', () => {", '%s is there')).toBe(true);
    expect(hasTest("describe.each([\n  1,\n])('of %s', () => {", 'of %s')).toBe(true);
    expect(hasTest("const is = 'is there';", 'is there')).toBe(false);
    expect(hasTest("it('is there no more', () => {", 'is there')).toBe(false);
    expect(testsIn('`a/b.test.ts` *one* *two*; `c.spec.ts` *three*. More words')).toEqual([
      { file: 'a/b.test.ts', titles: ['one', 'two'] },
      { file: 'c.spec.ts', titles: ['three'] },
    ]);
    expect(testsIn('`a/b.test.ts`')).toEqual([{ file: 'a/b.test.ts', titles: [] }]);
  });
});
