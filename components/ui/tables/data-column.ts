import type { ReactNode } from 'react';

export interface DataColumn<Row> {
  readonly key: string;
  readonly head: ReactNode;
  readonly headTitle?: string;
  /** In pixels, or as a share; a column without one takes the rest. */
  readonly width?: number | string;
  readonly numeric?: boolean;
  /** Cuts what does not fit. Default: every column that is not numeric. */
  readonly truncate?: boolean;
  /** The row's header cell. */
  readonly rowHeader?: boolean;
  /** For the whole column: a width by screen size, or `max-md:hidden`. */
  readonly className?: string;
  /** Hides the column where the table has little room, unless its person asks for it: `@max-3xl:hidden`. */
  readonly narrow?: string;
  /**
   * Its position where a table is narrow that is named or has the region `@container` (`app/stacked-tables.css`). Rows have two lines there if a column is `text`: `lead`, `fill` and
   * `end` on the first, `tag` and `text` on the second. Columns without a position follow, or hide by `narrow`.
   */
  readonly stacked?: 'lead' | 'fill' | 'end' | 'tag' | 'text';
  /** Cannot be hidden. */
  readonly pinned?: boolean;
  /** The value as text, for a column that is folded away while all rows have the same. Null: never folded. */
  readonly constant?: (row: Row) => string | null;
  readonly cellClassName?: string | ((row: Row) => string | undefined);
  readonly title?: (row: Row) => string | undefined;
  readonly cell: (row: Row) => ReactNode;
}
