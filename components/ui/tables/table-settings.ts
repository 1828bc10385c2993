'use client';
/** How a person wants tables: density for all, columns and their widths for each. Kept in this browser only. */
import { useMemo, useSyncExternalStore } from 'react';

export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

export interface TableSettings {
  /** By column: always or never shown. A column that is missing here is shown where there is room. */
  readonly shown: Readonly<Record<string, boolean>>;
  /** By column, in pixels. */
  readonly widths: Readonly<Record<string, number>>;
}
interface StoredSettings {
  readonly density: Density;
  readonly tables: Readonly<Record<string, TableSettings>>;
}

export const WIDTH_MIN = 48;
export const WIDTH_MAX = 900;
const MAX_ENTRIES = 50;
const STORAGE_KEY = 'redrive-tables';
const NO_SETTINGS: TableSettings = { shown: {}, widths: {} };
const DEFAULTS: StoredSettings = { density: 'comfortable', tables: {} };

export const clampWidth = (width: number): number =>
  Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width)));

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value).slice(0, MAX_ENTRIES) : [];

/** Reads what was stored; anything that does not fit is left out. */
export function parseTableSettings(text: string | null): StoredSettings {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '{}');
  } catch {
    return DEFAULTS;
  }
  const { density, tables } = Object.fromEntries(entriesOf(stored));
  return {
    density: density === 'compact' ? 'compact' : 'comfortable',
    tables: Object.fromEntries(
      entriesOf(tables).map(([name, table]) => {
        const { shown, widths } = Object.fromEntries(entriesOf(table));
        return [
          name,
          {
            shown: Object.fromEntries(
              entriesOf(shown).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
            ),
            widths: Object.fromEntries(
              entriesOf(widths)
                .filter((entry): entry is [string, number] => Number.isFinite(entry[1]))
                .map(([column, width]) => [column, clampWidth(width)]),
            ),
          },
        ];
      }),
    ),
  };
}

let current: StoredSettings | null = null;
const listeners = new Set<() => void>();

function read(): StoredSettings {
  if (current) return current;
  try {
    current = parseTableSettings(localStorage.getItem(STORAGE_KEY));
  } catch {
    // Storage is switched off: the settings last as long as the page.
    current = DEFAULTS;
  }
  return current;
}

function write(next: StoredSettings): void {
  current = next;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  } catch {
    // Full or switched off, as above.
  }
  for (const listener of listeners) listener();
}

function onStorage({ key }: StorageEvent): void {
  if (key !== STORAGE_KEY && key !== null) return;
  current = null;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('storage', onStorage);
    // Another tab may have written while no table was on show here.
    current = null;
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', onStorage);
  };
}

/** Settings of one table, and the density of all. Without a name the columns are fixed. */
export function useTableSettings(name: string | undefined) {
  const { density, tables } = useSyncExternalStore(subscribe, read, () => DEFAULTS);
  const settings = (name === undefined ? undefined : tables[name]) ?? NO_SETTINGS;
  return useMemo(() => {
    const change = (part: Partial<TableSettings>) => {
      if (name === undefined) return;
      const stored = read();
      const table = { ...(stored.tables[name] ?? NO_SETTINGS), ...part };
      write({ ...stored, tables: { ...stored.tables, [name]: table } });
    };
    return {
      density,
      settings,
      setDensity: (next: Density) => write({ ...read(), density: next }),
      show: (column: string, shown: boolean) => change({ shown: { ...settings.shown, [column]: shown } }),
      /** Null: the usual width. */
      setWidth: (column: string, width: number | null) => {
        const { [column]: _, ...widths } = settings.widths;
        change({ widths: width === null ? widths : { ...widths, [column]: clampWidth(width) } });
      },
      reset: () => change(NO_SETTINGS),
    };
  }, [density, settings, name]);
}
