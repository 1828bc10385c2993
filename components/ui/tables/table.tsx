import { cn } from '../cn';

/**
 * A dense table in its own scrolling region, which can be focused so that a keyboard can scroll it.
 * `region` sets its bounds (a `max-h-…`, say). Rows are 28px, 24px with `tight`, 22px where the person chose compact tables.
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

export function Th({ className, numeric, fit, ...props }: React.ComponentProps<'th'> & CellProps) {
  return (
    <th
      scope="col"
      className={cn(
        'h-7 whitespace-nowrap border-line border-b px-2 text-left font-medium text-faint text-xs first:pl-3 last:pr-3 group-data-[density=compact]/table:h-6',
        align({ numeric, fit }),
        className,
      )}
      {...props}
    />
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
        // Hundreds of cells are on a page: what all have in common stands in globals.css, not in each.
        'table-cell-box',
        align({ numeric, fit }),
        truncate && 'max-w-0 truncate',
        className,
      )}
      {...props}
    />
  );
}

/**
 * One row across the whole table, for "nothing here" and for errors: a `tbody` of its own. It is laid out below the columns, since a span
 * of hidden columns would make room for them.
 */
export function FullRow({ children }: { children: React.ReactNode }) {
  return (
    <tbody className="table-caption caption-bottom">
      <tr className="block">
        <td className="sticky left-0 block max-w-[calc(100vw-2rem)] px-3 py-6 text-center text-muted">
          {children}
        </td>
      </tr>
    </tbody>
  );
}
