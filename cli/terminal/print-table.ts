/** Tables for people. Nothing of a job reaches the terminal as it is: it must not act on the terminal of a reader. */
import { revealHidden, titleText } from '@/lib/format/display-text';
import { fullNumber } from '@/lib/format/number';

export type Cell = string | number | null | undefined;

const CELL_MAX_CHARS = 80;

const cellText = (cell: Cell): string => {
  if (typeof cell === 'number') return fullNumber(cell);
  const text = titleText(cell ?? '–');
  return text.length > CELL_MAX_CHARS ? `${text.slice(0, CELL_MAX_CHARS - 1)}…` : text;
};

/** Numbers align right. Without rows: the sentence. */
export function tableText(
  heads: readonly string[],
  rows: readonly (readonly Cell[])[],
  empty: string,
): string {
  if (rows.length === 0) return empty;
  const texts = [heads, ...rows.map((row) => row.map(cellText))];
  const widths = heads.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  const numeric = heads.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  return texts
    .map((row) =>
      row
        .map((text, column) =>
          numeric[column] ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A page of a list, and how to get the next one. */
export const pageText = (table: string, nextCursor: string | null): string =>
  nextCursor === null ? table : `${table}\nThere is more. Continue with --cursor ${nextCursor}`;

/** JSON of the same value, in which hidden characters are escapes, so that it does not act on a terminal either. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/[^\x20-\x7e\n]/gu, (char) =>
    revealHidden(char) === char
      ? char
      : char
          .split('')
          .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          .join(''),
  );

/** Names and values, one a line. */
export function factsText(facts: readonly (readonly [name: string, value: Cell])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${cellText(value)}`).join('\n');
}
