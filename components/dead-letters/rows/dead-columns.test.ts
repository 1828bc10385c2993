import { expect, it } from 'vitest';
import { DEAD_COLUMNS } from './dead-columns';

const REM_PX = 16;
const SELECT_PX = 36;
/** The width of app/stacked-tables.css. */
const TWO_LINES_BELOW_PX = 36 * REM_PX;
/** The container widths of Tailwind that the columns name, in rem. */
const CONTAINERS: Readonly<Record<string, number>> = {
  xl: 36,
  '2xl': 42,
  '3xl': 48,
  '4xl': 56,
  '5xl': 64,
  '6xl': 72,
  '7xl': 80,
};

/** Pixels below which a column is hidden. */
function hiddenBelow(narrow: string | undefined): number {
  if (narrow === undefined) return 0;
  const [, size = '', exact] = /^(?:@min-xl:)?@max-(?:(\w+)|\[(\d+)rem\]):hidden$/.exec(narrow) ?? [];
  const rem = exact === undefined ? CONTAINERS[size] : Number(exact);
  if (rem === undefined) throw new Error(`${narrow} is no width that this test knows`);
  return rem * REM_PX;
}

/** The message has no width of its own: it takes what the others leave. */
function messageWidth(table: number): number {
  return DEAD_COLUMNS.filter(({ narrow }) => table >= hiddenBelow(narrow)).reduce(
    (left, { width }) => left - (typeof width === 'number' ? width : 0),
    table - SELECT_PX,
  );
}

it('B15: leaves room for the message in a table of any width, instead of running over its edge', () => {
  const least = (from: number) =>
    Math.min(...Array.from({ length: 2_000 }, (_, i) => messageWidth(from + i)));
  // Below, rows have two lines, and the message has one of them.
  expect(DEAD_COLUMNS.find(({ key }) => key === 'message')?.stacked).toBe('text');
  expect(least(TWO_LINES_BELOW_PX)).toBeGreaterThanOrEqual(140);
  // The table beside the facets, on a screen of 1280 px.
  expect(least(830)).toBeGreaterThanOrEqual(220);
});
