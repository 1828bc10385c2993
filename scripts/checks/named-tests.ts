/** Tests that a page of the documentation names: read from its tables, and looked up in their files. */

export interface NamedTests {
  readonly file: string;
  readonly titles: readonly string[];
}

/** A file in code letters, then titles of its tests in italics. */
export function testsIn(cell: string): NamedTests[] {
  return [...cell.matchAll(/`([\w./()[\]-]+\.(?:test|spec)\.tsx?)`((?: \*[^*]+\*)*)/g)].map(
    ([, file = '', titles = '']) => ({
      file,
      titles: [...titles.matchAll(/\*([^*]+)\*/g)].map(([, title = '']) => title),
    }),
  );
}

/** As it stands in the source: after `it(`, `test(`, `describe(` or the table of an `each`, between quotes. */
export const hasTest = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) =>
    [title, title.replaceAll("'", "\\'"), title.replaceAll('’', '\\u2019')].some((text) =>
      new RegExp(
        `(?:\\b(?:it|test|describe)(?:\\.\\w+)?\\(|\\)\\()\\s*${escaped(quote + text + quote)}`,
      ).test(source),
    ),
  );
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
