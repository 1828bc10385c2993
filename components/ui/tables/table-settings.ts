'use client';
/**
 * How a person wants tables: density for all, columns and their widths for each. Kept in this browser, and with the person's account, which
 * counts: see components/shell/saved-tables.tsx.
 */
import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';
import { readStored, writeStored } from '@/lib/device/browser-storage';
import {
  COLUMN_WIDTH_MAX,
  COLUMN_WIDTH_MIN,
  type ColumnSettings,
  type Density,
  TABLE_ENTRIES_MAX,
  type TableSettings,
} from '@/lib/format/column-settings';

export interface StoredTables extends TableSettings {
  /** The account these were last the same with; null: none yet. */
  readonly owner: string | null;
  /** Chosen here, and not with the account yet. */
  readonly unsaved: boolean;
}

const STORAGE_KEY = 'redrive-tables';
const NO_SETTINGS: ColumnSettings = { shown: {}, widths: {} };
const DEFAULTS: StoredTables = { density: 'comfortable', tables: {}, owner: null, unsaved: false };

export const clampWidth = (width: number): number =>
  Math.round(Math.min(COLUMN_WIDTH_MAX, Math.max(COLUMN_WIDTH_MIN, width)));

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value).slice(0, TABLE_ENTRIES_MAX) : [];

/** Reads what was stored; anything that does not fit is left out. */
export function parseTableSettings(text: string | null): StoredTables {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '{}');
  } catch {
    return DEFAULTS;
  }
  const { density, tables, owner, unsaved } = Object.fromEntries(entriesOf(stored));
  return {
    owner: typeof owner === 'string' ? owner : null,
    unsaved: unsaved === true,
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

let current: StoredTables | null = null;
const listeners = new Set<() => void>();

function read(): StoredTables {
  if (current) return current;
  current = parseTableSettings(readStored('local', STORAGE_KEY));
  return current;
}

function write(next: StoredTables): void {
  current = next;
  writeStored('local', STORAGE_KEY, JSON.stringify(next));
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

const isUsual = ({ density, tables }: TableSettings): boolean =>
  density === DEFAULTS.density &&
  Object.values(tables).every(({ shown, widths }) => Object.keys({ ...shown, ...widths }).length === 0);

/**
 * Makes this browser show what the account has, but for a change made here that has not reached it. What another person chose here is
 * forgotten; what was chosen before the account kept anything becomes its first.
 */
export function adoptTables(owner: string, saved: TableSettings | null): void {
  const stored = read();
  const isOwn = stored.owner === null || stored.owner === owner;
  if (isOwn && stored.unsaved) write({ ...stored, owner });
  else if (saved) write({ ...saved, owner, unsaved: false });
  else if (isOwn && !isUsual(stored)) write({ ...stored, owner, unsaved: true });
  else if (stored.owner !== owner) write({ ...DEFAULTS, owner });
}

/** The account has these now; a change made meanwhile stays unsaved. */
export function tablesSaved(sent: StoredTables): void {
  if (read() === sent) write({ ...sent, unsaved: false });
}

/** What the HTML was rendered with, so that the page hydrates with the columns it came with. */
export const RenderedTables = createContext<TableSettings | null>(null);

/** All that this browser has. Changes are new objects. */
export function useStoredTables(): StoredTables {
  const rendered = useContext(RenderedTables);
  const atServer = useMemo(() => ({ ...DEFAULTS, ...rendered }), [rendered]);
  return useSyncExternalStore(subscribe, read, () => atServer);
}

/** Settings of one table, and the density of all. Without a name the columns are fixed. */
export function useTableSettings(name: string | undefined) {
  const { density, tables } = useStoredTables();
  const settings = (name === undefined ? undefined : tables[name]) ?? NO_SETTINGS;
  return useMemo(() => {
    const choose = (part: Partial<TableSettings>) => write({ ...read(), ...part, unsaved: true });
    const change = (part: Partial<ColumnSettings>) => {
      if (name === undefined) return;
      const { tables } = read();
      choose({ tables: { ...tables, [name]: { ...(tables[name] ?? NO_SETTINGS), ...part } } });
    };
    return {
      density,
      settings,
      setDensity: (next: Density) => choose({ density: next }),
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
