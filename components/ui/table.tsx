import { ArrowDown, ArrowUp } from 'lucide-react';
import { cn } from './cn';

/**
 * A dense table in a region that scrolls by itself and can be focused, so a keyboard can scroll it too.
 * `region` sets its bounds (a `max-h-…`, say). Rows are 28px, or 24px with `tight`.
 */
export function Table({
  label,
  region,
  tight,
  className,
  ...props
}: React.ComponentProps<'table'> & { label: string; region?: string; tight?: boolean }) {
  return (
    <section
      data-slot="table-region"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
      className={cn('relative overflow-auto outline-offset-[-2px]', region)}
    >
      <table
        data-tight={tight || undefined}
        className={cn('group/table w-full border-separate border-spacing-0 text-sm', className)}
        {...props}
      />
    </section>
  );
}

export function THead({ className, ...props }: React.ComponentProps<'thead'>) {
  return <thead className={cn('sticky top-0 z-10 bg-panel', className)} {...props} />;
}

export function TBody(props: React.ComponentProps<'tbody'>) {
  return <tbody {...props} />;
}

export interface ColumnHead {
  readonly head: string;
  /** In pixels, or as a share; undefined takes what is left. */
  readonly width: number | string | undefined;
  readonly numeric?: boolean;
}

/** Widths and heads of a table of fixed layout, from one list. */
export function ColumnHeads({ columns }: { columns: readonly ColumnHead[] }) {
  return (
    <>
      <colgroup>
        {columns.map(({ head, width }) => (
          <col key={head} style={{ width }} />
        ))}
      </colgroup>
      <THead>
        <tr>
          {columns.map(({ head, numeric }) => (
            <Th key={head} numeric={numeric}>
              {head}
            </Th>
          ))}
        </tr>
      </THead>
    </>
  );
}

/** `selected` marks the row for sight and for assistive technology. */
export function Tr({ className, selected, ...props }: React.ComponentProps<'tr'> & { selected?: boolean }) {
  return (
    <tr
      aria-selected={selected}
      className={cn('group/row hover:bg-hover', selected && 'bg-accent/8 hover:bg-accent/11', className)}
      {...props}
    />
  );
}

type CellProps = { numeric?: boolean; fit?: boolean };
const align = ({ numeric, fit }: CellProps) => cn(numeric && 'text-right', fit && 'w-px');

export type SortDirection = 'asc' | 'desc';

/** A column head. With `onSort` it becomes a button and tells its direction. */
export function Th({
  className,
  numeric,
  fit,
  sort,
  onSort,
  children,
  ...props
}: React.ComponentProps<'th'> & CellProps & { sort?: SortDirection | null; onSort?: () => void }) {
  const Arrow = sort === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={sort === 'asc' ? 'ascending' : sort === 'desc' ? 'descending' : undefined}
      className={cn(
        'h-7 whitespace-nowrap border-line border-b px-2 text-left font-medium text-faint text-xs first:pl-3 last:pr-3',
        align({ numeric, fit }),
        className,
      )}
      {...props}
    >
      {onSort ? (
        <button
          type="button"
          onClick={onSort}
          className={cn(
            'inline-flex h-6 items-center gap-1 hover:text-fg',
            numeric && 'flex-row-reverse',
            sort && 'text-fg',
          )}
        >
          {children}
          <Arrow aria-hidden className={cn('size-3', !sort && 'invisible')} />
        </button>
      ) : (
        children
      )}
    </th>
  );
}

/** Text stays on one line, so rows keep their height. `numeric` aligns right; `fit` makes the column as narrow as its text; `truncate` cuts what does not fit. */
export function Td({
  className,
  numeric,
  fit,
  truncate,
  ...props
}: React.ComponentProps<'td'> & CellProps & { truncate?: boolean }) {
  return (
    <td
      className={cn(
        'h-7 whitespace-nowrap border-line border-b px-2 py-0 first:pl-3 last:pr-3 group-data-tight/table:h-6 group-data-tight/table:text-xs',
        align({ numeric, fit }),

        truncate && 'max-w-0 truncate',
        className,
      )}
      {...props}
    />
  );
}

/** One row across the whole table, for "nothing here" and for errors. */
export function FullRow({ span, children }: { span: number; children: React.ReactNode }) {
  return (
    <tr>
      <td colSpan={span} className="px-3 py-6 text-center text-muted">
        {children}
      </td>
    </tr>
  );
}
