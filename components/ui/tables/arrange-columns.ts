/** The columns of a table as its person wants them; pure. */

import type { ColumnSettings } from '@/lib/format/column-settings';
import { cn } from '../cn';
import type { DataColumn } from './data-column';

/** What a column without a width is left at the least, in pixels. */
const FLEXIBLE_MIN_PX = 160;

/** Without the hidden columns and with the chosen widths. A column that was asked for shows on narrow screens, too. */
export function arrangeColumns<Row>(
  columns: readonly DataColumn<Row>[],
  { shown, widths }: ColumnSettings,
): readonly DataColumn<Row>[] {
  return columns
    .filter(({ key }) => shown[key] !== false)
    .map((column) => {
      const { key, narrow, stacked, className } = column;
      return {
        ...column,
        width: widths[key] ?? column.width,
        className:
          cn(shown[key] ? undefined : narrow, stacked && `stacked-${stacked}`, className) || undefined,
      };
    });
}

/** Whether rows have two lines where the table has little room: there is a text to give the second one to. */
export const isStacked = <Row>(columns: readonly DataColumn<Row>[]): boolean =>
  columns.some(({ stacked }) => stacked === 'text');

/** In pixels, so that a table of chosen columns scrolls instead of squeezing them; undefined: as wide as its region. */
export function minWidthOf<Row>(
  columns: readonly DataColumn<Row>[],
  { shown, widths }: ColumnSettings,
): number | undefined {
  if (Object.keys(shown).length + Object.keys(widths).length === 0) return undefined;
  return columns
    .filter(({ key, narrow }) => shown[key] || (shown[key] !== false && narrow === undefined))
    .reduce((sum, { key, width }) => {
      const own = widths[key] ?? width;
      return sum + (typeof own === 'number' ? own : FLEXIBLE_MIN_PX);
    }, 0);
}
