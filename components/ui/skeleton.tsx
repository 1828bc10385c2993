import { cn } from './cn';

/** A placeholder of the content's size, so that nothing moves when it arrives. Give it a width and a height. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      data-slot="skeleton"
      aria-hidden
      className={cn('block h-3 rounded-sm bg-line motion-safe:animate-pulse', className)}
    />
  );
}

const WIDTHS = ['w-3/5', 'w-2/5', 'w-4/5', 'w-1/2', 'w-2/3'] as const;

/** Table rows to come: same height as real ones. Use inside `TBody`; name it busy on the region. */
export function SkeletonRows({
  rows = 8,
  columns,
  classNames = [],
}: {
  rows?: number;
  columns: number;
  /** Of each column: where it is hidden. */
  classNames?: readonly (string | undefined)[];
}) {
  return Array.from({ length: rows }, (_, r) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
    <tr key={r} aria-hidden>
      {Array.from({ length: columns }, (_, c) => (
        <td
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
          key={c}
          className={cn('table-cell-box', classNames[c])}
        >
          <Skeleton className={WIDTHS[(r + c * 2) % WIDTHS.length]} />
        </td>
      ))}
    </tr>
  ));
}
