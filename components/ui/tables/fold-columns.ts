'use client';
import { useMemo, useState } from 'react';
import { cn } from '../cn';
import type { DataColumn } from './data-column';
import { useTableSettings } from './table-settings';

/** A column whose value is the same in every row. */
export interface FoldedColumn {
  readonly key: string;
  readonly head: string;
  readonly value: string;
}

/** The one value of the column; null: the rows differ, or the column has no comparable values. */
export function constantOf<Row>({ constant }: DataColumn<Row>, rows: readonly Row[]): string | null {
  const [first] = rows;
  if (!constant || first === undefined) return null;
  const value = constant(first);
  return value !== null && rows.every((row) => constant(row) === value) ? value : null;
}

/**
 * Takes out the columns with the same value in every row: a line above the list says it once. A column that differed
 * once stays for as long as the `view` is the same: a live list must not lose and gain columns. So does a column that the user chose.
 * Stacked rows keep all of theirs: they gain no room, and the line above would be a second one that moves the list as it comes.
 */
export function useFoldedColumns<Row>(
  name: string,
  view: string,
  columns: readonly DataColumn<Row>[],
  rows: readonly Row[] | null,
): { columns: readonly DataColumn<Row>[]; folded: readonly FoldedColumn[] } {
  const { shown } = useTableSettings(name).settings;
  const [varied, setVaried] = useState<{ view: string; keys: readonly string[] }>({ view, keys: [] });
  const known = varied.view === view ? varied.keys : [];
  const isFoldable = ({ key, constant }: DataColumn<Row>) => constant !== undefined && shown[key] !== true;
  const isKnown = rows !== null && rows.length > 1;
  const differing = isKnown
    ? columns.filter((column) => isFoldable(column) && constantOf(column, rows) === null)
    : [];
  const keys = [...new Set([...known, ...differing.map(({ key }) => key)])];
  if (varied.view !== view || keys.length > known.length) setVaried({ view, keys });
  const folded = (isKnown ? columns : []).flatMap((column) => {
    const { key, head } = column;
    if (!isFoldable(column) || keys.includes(key)) return [];
    const value = constantOf(column, rows ?? []);
    return value === null || typeof head !== 'string' ? [] : [{ key, head, value }];
  });
  const gone = folded.map(({ key }) => key).join(' ');
  return {
    // The same array while the same columns are left: rows are rendered again only when theirs change.
    columns: useMemo(() => {
      const keysGone = gone.split(' ');
      return columns
        .filter(({ key, stacked }) => stacked || !keysGone.includes(key))
        .map((column) =>
          keysGone.includes(column.key)
            ? { ...column, className: cn(column.className, '@min-xl:hidden') }
            : column,
        );
    }, [columns, gone]),
    // What was hidden by choice is not told either.
    folded: folded.filter(({ key }) => shown[key] !== false),
  };
}
