/** The console's bugs in docs/bug-catalogue.md against the tests and the sources: each bug has its tests, and the console says what the page says it says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasTest, testsIn } from './named-tests';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const [, section = ''] = read('docs/bug-catalogue.md').split('\n## Bugs of the console\n');
const [bugs = '', words = ''] = section.split('\n### Words of the console\n');
const cellsOf = (part: string): string[][] =>
  part.split('\n').flatMap((line) => {
    const cells = line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1);
    return cells.length === 0 || /^-+$/.test(cells[0] ?? '') ? [] : [cells];
  });
const oneLine = (text: string) => text.replace(/\s+/g, ' ');

describe('the bugs of the console', () => {
  const rows = cellsOf(bugs).slice(1);

  it('has a row for each of the 16', () => {
    expect(rows.map(([number]) => number)).toEqual(Array.from({ length: 16 }, (_, i) => `B${i + 1}`));
  });

  it.each(rows)('%s has the tests it names, one of them under its number', (number = '', ...cells) => {
    expect(cells).toHaveLength(3);
    const tests = testsIn(cells.at(-1) ?? '');
    for (const { file, titles } of tests) {
      const source = read(file);
      expect(titles.length, file).toBeGreaterThan(0);
      for (const title of titles) expect(hasTest(source, title), `${file}: ${title}`).toBe(true);
    }
    expect(
      tests.flatMap(({ titles }) => titles).filter((title) => title.startsWith(`${number}: `)),
    ).not.toEqual([]);
  });

  const said = cellsOf(words).slice(1);

  it.each(said)('no longer says %s', (_was, now = '', where = '') => {
    const file = /^`([\w./-]+)`$/.exec(where)?.[1];
    const source = oneLine(read(file ?? ''));
    const texts = [...now.matchAll(/"([^"]+)"/g)].flatMap(([, text = '']) => text.split('…'));
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(source, text).toContain(text.trim());
  });
});
