/**
 * What this browser keeps between pages. Storage may be blocked, absent, full or filled by somebody else, and no page may fail for that:
 * this module is the one place that touches it.
 */

/** `local`: for all tabs. `session`: for this tab. */
export type Shelf = 'local' | 'session';

/** Blocked storage throws at the first mention of it. */
const shelf = (name: Shelf): Storage => (name === 'local' ? window.localStorage : window.sessionStorage);

/** Null: nothing is kept, or the browser keeps nothing. */
export function readStored(from: Shelf, key: string): string | null {
  try {
    return shelf(from).getItem(key);
  } catch {
    return null;
  }
}

/** As `readStored`, of JSON: null for what is no JSON, too. Check the shape. */
export function readStoredJson(from: Shelf, key: string): unknown {
  try {
    return JSON.parse(readStored(from, key) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * @param value null: removes it
 * @returns false: the browser does not keep it, so it lasts as long as the page
 */
export function writeStored(to: Shelf, key: string, value: string | null): boolean {
  try {
    if (value === null) shelf(to).removeItem(key);
    else shelf(to).setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
