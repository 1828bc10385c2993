import { cn } from './cn';

/** A bordered block with an optional head. `flush` drops the padding, for a table that runs to the edges. */
export function Panel({
  title,
  aside,
  flush,
  level = 2,
  id,
  className,
  style,
  children,
}: {
  title?: React.ReactNode;
  /** At the right of the head: age, a control. */
  aside?: React.ReactNode;
  flush?: boolean;
  level?: 2 | 3;
  /** For links to it. */
  id?: string;
  className?: string;
  style?: React.CSSProperties;
  children: React.ReactNode;
}) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <div
      id={id}
      style={style}
      className={cn('flex min-w-0 flex-col rounded-md border border-line bg-panel', className)}
    >
      {(title || aside) && (
        <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-line border-b px-3 py-1">
          <Heading className="font-medium text-sm">{title}</Heading>
          {aside && <div className="flex items-center gap-2 text-faint text-xs">{aside}</div>}
        </div>
      )}
      <div className={cn('min-h-0 min-w-0 flex-1', !flush && 'p-3')}>{children}</div>
    </div>
  );
}
