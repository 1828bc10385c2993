import { ChevronRight, ChevronsLeft } from 'lucide-react';
import { full } from '@/lib/format/number';
import { Button } from './button';
import { cn } from './cn';

/**
 * Cursor paging: only forward, and back to the start. `total` is shown when it is known, and never guessed;
 * `note` says what else there is to say about it ("stopped after scanning 20,000").
 */
export function Pagination({
  shown,
  total,
  noun = 'rows',
  note,
  isFirst,
  hasNext,
  onFirst,
  onNext,
  pending,
  className,
}: {
  shown: number;
  total?: number | null;
  noun?: string;
  note?: React.ReactNode;
  isFirst: boolean;
  hasNext: boolean;
  onFirst: () => void;
  onNext: () => void;
  pending?: boolean;
  className?: string;
}) {
  return (
    <nav
      data-slot="pagination"
      aria-label="Pages"
      className={cn(
        'flex min-h-9 flex-wrap items-center justify-between gap-x-3 px-3 py-1 text-xs',
        className,
      )}
    >
      <p className="text-muted" aria-live="polite">
        {full(shown)}
        {total !== undefined && total !== null && ` of ${full(total)}`} {noun}
        {note && <span className="text-faint"> · {note}</span>}
      </p>
      <div className="flex gap-1.5">
        <Button size="sm" disabled={isFirst || pending} onClick={onFirst}>
          <ChevronsLeft aria-hidden />
          First
        </Button>
        <Button size="sm" disabled={!hasNext} pending={pending} onClick={onNext}>
          Next
          <ChevronRight aria-hidden />
        </Button>
      </div>
    </nav>
  );
}
