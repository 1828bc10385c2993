'use client';
import { memo, type ReactNode, useMemo } from 'react';
import { cn } from '../cn';
import { Checkbox } from '../controls/checkbox';
import { SkeletonRows } from '../skeleton';
import { arrangeColumns, isStacked, minWidthOf } from './arrange-columns';
import { ColumnResizer } from './column-resizer';
import type { DataColumn } from './data-column';
import { FullRow, Table, TBody, Td, THead, Th, Tr } from './table';
import { useTableSettings } from './table-settings';

export type { DataColumn };

export interface TableSelection<Row> {
  readonly label?: string;
  readonly state: 'all' | 'some' | 'none';
  readonly rowLabel: (row: Row) => string;
  readonly isSelected: (row: Row) => boolean;
  /** `range`: Shift was held, so everything since the row ticked last is meant. */
  readonly onToggle: (row: Row, select: boolean, range: boolean) => void;
  readonly onToggleAll: (select: boolean) => void;
}

interface DataTableProps<Row> {
  label: string;
  /** Under which the browser keeps the user's columns and widths; without one they are fixed. */
  name?: string;
  columns: readonly DataColumn<Row>[];
  /** Null while loading: placeholders are shown. */
  rows: readonly Row[] | null;
  /** By `index` where rows change often: then nothing on the page moves when others take their place. */
  rowKey: (row: Row, index: number) => string | number;
  rowProps?: (row: Row) => React.ComponentProps<'tr'> & { [data: `data-${string}`]: string | undefined };
  selection?: TableSelection<Row>;
  /** Across the table when there are no rows. */
  empty?: ReactNode;
  skeletonRows?: number;
  /** So many rows come a moment later: their room is kept, so that nothing moves. */
  missing?: number;
  /** Replaces the usual placeholders, where rows are taller. */
  skeleton?: ReactNode;
  /** Across the table below the last row, such as the number of hidden rows. */
  more?: ReactNode;
  /** A `tfoot`. */
  footer?: ReactNode;
  /** The head is only there for assistive technology. */
  hideHead?: boolean;
  /** Bounds of the region that scrolls: `max-h-…`. */
  region?: string;
  tight?: boolean;
  className?: string;
}

type RowProps<Row> = Pick<DataTableProps<Row>, 'columns' | 'rowProps' | 'selection'> & { row: Row };

const SELECT_WIDTH = 36;

/** A table of fixed layout from a list of columns, with placeholders, an empty state and, if wanted, a selection. */
export function DataTable<Row>({
  name,
  columns: all,
  rows,
  rowKey,
  rowProps,
  selection,
  empty,
  skeletonRows = 8,
  skeleton,
  missing = 0,
  more,
  footer,
  hideHead,
  className,
  region,
  ...table
}: DataTableProps<Row>) {
  const { density, settings, setWidth } = useTableSettings(name);
  const columns = useMemo(() => arrangeColumns(all, settings), [all, settings]);
  const span = columns.length + (selection ? 1 : 0);
  const classNames = [
    ...(selection ? ['stacked-select'] : []),
    ...columns.map(({ className: column }) => column),
  ];
  return (
    <Table
      className={cn('table-fixed', className)}
      // Named tables show the columns that their own width has room for, wherever they stand.
      region={cn(region, name && '@container') || undefined}
      data-density={density}
      data-stacked={isStacked(columns) ? (selection ? 'select' : '') : undefined}
      style={{ minWidth: minWidthOf(all, settings) }}
      {...table}
    >
      <colgroup>
        {selection && <col style={{ width: SELECT_WIDTH }} />}
        {columns.map(({ key, width, className: column }) => (
          <col key={key} style={{ width }} className={column} />
        ))}
      </colgroup>
      <THead className={hideHead ? 'sr-only' : undefined}>
        <tr>
          {selection && (
            <Th fit className="stacked-select pr-1">
              <Checkbox
                aria-label={selection.label ?? 'Select all on this page'}
                className="align-middle"
                checked={selection.state === 'some' ? 'indeterminate' : selection.state === 'all'}
                onCheckedChange={selection.onToggleAll}
              />
            </Th>
          )}
          {columns.map(({ key, head, headTitle, numeric, width, className: column }, index) => (
            <Th key={key} numeric={numeric} title={headTitle} className={cn(name && 'relative', column)}>
              {typeof head === 'string' ? <span className="block truncate">{head}</span> : head}
              {name && typeof width === 'number' && index < columns.length - 1 && (
                <ColumnResizer onWidth={(px) => setWidth(key, px)} />
              )}
            </Th>
          ))}
        </tr>
      </THead>
      <TBody>
        {rows === null &&
          (skeleton ?? <SkeletonRows columns={span} rows={skeletonRows} classNames={classNames} />)}
        {rows?.map((row, index) => (
          <DataRow
            key={rowKey(row, index)}
            row={row}
            columns={columns}
            rowProps={rowProps}
            selection={selection}
          />
        ))}
        {missing > 0 && <MissingRows rows={missing} span={span} />}
      </TBody>
      {rows?.length === 0 && empty !== undefined && <FullRow>{empty}</FullRow>}
      {more && <FullRow>{more}</FullRow>}
      {footer}
    </Table>
  );
}

/** Rows have a fixed height; the last one's line is part of it. */
const MissingRows = ({ rows, span }: { rows: number; span: number }) => (
  <tr aria-hidden style={{ '--rows': rows } as React.CSSProperties}>
    <td
      colSpan={span}
      className="h-[calc(var(--rows)*var(--row,1.75rem))] p-0 group-data-[density=compact]/table:h-[calc(var(--rows)*1.375rem)]"
    />
  </tr>
);

/** Memoized: hundreds of rows may get a frame every second, of which most change nothing. */
const DataRow = memo(function DataRow<Row>({ row, columns, rowProps, selection }: RowProps<Row>) {
  return (
    <Tr selected={selection?.isSelected(row)} {...rowProps?.(row)}>
      {selection && <SelectCell row={row} selection={selection} />}
      {columns.map((column) => (
        <DataCell key={column.key} column={column} row={row} />
      ))}
    </Tr>
  );
}) as <Row>(props: RowProps<Row>) => ReactNode;

function SelectCell<Row>({ row, selection }: { row: Row; selection: TableSelection<Row> }) {
  const checked = selection.isSelected(row);
  return (
    <Td fit className="stacked-select pr-1">
      <Checkbox
        aria-label={selection.rowLabel(row)}
        className="align-middle"
        checked={checked}
        // Only the click tells whether Shift was held, so the click decides, not the change.
        onClick={(event) => selection.onToggle(row, !checked, event.shiftKey)}
      />
    </Td>
  );
}

function DataCell<Row>({ column, row }: { column: DataColumn<Row>; row: Row }) {
  const { numeric, truncate = !numeric, rowHeader, className, cellClassName, title, cell } = column;
  const classes = cn(className, typeof cellClassName === 'function' ? cellClassName(row) : cellClassName);
  if (rowHeader)
    return (
      <th scope="row" title={title?.(row)} className={cn('table-cell-box text-left font-normal', classes)}>
        {cell(row)}
      </th>
    );
  return (
    <Td numeric={numeric} truncate={truncate} title={title?.(row)} className={classes}>
      {cell(row)}
    </Td>
  );
}
