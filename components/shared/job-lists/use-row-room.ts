import { useState } from 'react';

/** As high as the words of an empty list. */
export const EMPTY_ROWS = 3;
/** A list that had more rows has grown past the first screen: what is below it may come back. */
const KEPT_ROWS = 12;

/**
 * Rows to leave room for below those of a short list: it keeps the room that it has had, so that what is below holds still while jobs come
 * and go.
 *
 * @param view another one begins anew
 * @param shown null while loading
 * @param expected rows that will come, as far as is known
 */
export function useRowRoom(view: string, shown: number | null, expected: number | null): number {
  const [most, setMost] = useState({ view, rows: 0 });
  const rows = Math.min(KEPT_ROWS, shown ?? 0);
  if (most.view !== view || rows > most.rows) setMost({ view, rows });
  if (shown === null) return expected === 0 ? EMPTY_ROWS : 0;
  return Math.max(0, (most.view === view ? most.rows : 0) - (shown === 0 ? EMPTY_ROWS : shown));
}
