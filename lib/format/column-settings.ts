/** How a person wants tables: density for all, columns and their widths for each. */
export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

export const COLUMN_WIDTH_MIN = 48;
export const COLUMN_WIDTH_MAX = 900;
/** Tables of a person, and columns of a table. */
export const TABLE_ENTRIES_MAX = 50;
export const TABLE_NAME_MAX_CHARS = 40;
/** As JSON. Every table with every column chosen is half of it. */
export const TABLE_SETTINGS_MAX_CHARS = 8_000;

export interface ColumnSettings {
  /** By column: always or never shown. A column that is missing here is shown where there is room. */
  readonly shown: Readonly<Record<string, boolean>>;
  /** By column, in pixels. */
  readonly widths: Readonly<Record<string, number>>;
}
export interface TableSettings {
  readonly density: Density;
  readonly tables: Readonly<Record<string, ColumnSettings>>;
}
