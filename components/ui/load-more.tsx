import { full } from '@/lib/format/number';
import { Button } from './button';
import { cn } from './cn';

/** Adds to a list that grows downwards. Renders its place even when there is no more, so nothing jumps. */
export function LoadMore({
  shown,
  total,
  noun = 'rows',
  hasMore,
  pending,
  onMore,
  className,
}: {
  shown: number;
  total?: number | null;
  noun?: string;
  hasMore: boolean;
  pending?: boolean;
  onMore: () => void;
  className?: string;
}) {
  const known = total !== undefined && total !== null;
  return (
    <div
      data-slot="load-more"
      className={cn('flex min-h-9 items-center justify-center gap-3 text-xs', className)}
    >
      <span className="text-muted" aria-live="polite">
        {full(shown)}
        {known && ` of ${full(total)}`} {noun}
        {!hasMore && !known && ' (all)'}
      </span>
      {hasMore && (
        <Button size="sm" pending={pending} onClick={onMore}>
          Load more
        </Button>
      )}
    </div>
  );
}
