import { ChevronRight, ChevronsLeft } from '@/components/ui/icons';
import { fullNumber } from '@/lib/format/number';
import { Button } from '../controls/button';

/**
 * Cursor paging: forward and back to the start. Without a `total` only `shown` appears;
 * `note` adds to it ("stopped after scanning 20,000"). Nothing where there is one page and no note: below a short list that changes while
 * it is watched, it would move with each row.
 */
export function Pagination({
  shown,
  total,
  noun,
  note,
  isFirst,
  hasNext,
  onFirst,
  onNext,
  pending,
}: {
  /** Null while the first page loads. */
  shown: number | null;
  total?: number | null;
  noun: string;
  note?: React.ReactNode;
  isFirst: boolean;
  hasNext: boolean;
  onFirst: () => void;
  onNext: () => void;
  pending: boolean;
}) {
  if (isFirst && !hasNext && !note) return null;
  return (
    <nav
      aria-label="Pages"
      className="flex min-h-9 flex-wrap items-center justify-between gap-x-3 px-3 py-1 text-xs"
    >
      <p className="text-muted" aria-live="polite">
        {shown !== null && (
          <>
            {fullNumber(shown)}
            {total !== undefined && total !== null && ` of ${fullNumber(total)}`} {noun}
          </>
        )}
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
