import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/empty-state';
import { CircleAlert, SearchX } from '@/components/ui/icons';

export interface QueryProblem {
  readonly message: string;
  /** The wrong part, counted from 0. */
  readonly position: number;
  readonly length: number;
  /** The correction; null when unknown. */
  readonly suggestion: string | null;
}

/** The error of the query, its position, and the fix as a button. */
export function QueryProblemLine({
  id,
  problem: { message, position, suggestion },
  onFix,
}: {
  id: string;
  problem: QueryProblem;
  onFix: () => void;
}) {
  return (
    <div className="mt-1.5 flex min-h-6 items-start gap-2 text-sm">
      <CircleAlert aria-hidden className="mt-1 size-3.5 shrink-0 text-bad" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
        <p id={id} role="alert" className="min-w-0 leading-6">
          <span className="text-bad">{message}</span>{' '}
          <span className="text-faint text-xs">At character {position + 1}.</span>
        </p>
        {suggestion !== null && (
          <Button size="sm" onClick={onFix}>
            {suggestion === '' ? 'Remove it' : 'Use'}
            {suggestion !== '' && (
              <span translate="no" className="font-mono">
                {suggestion}
              </span>
            )}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Lies under the field with the same text, invisible except for a wavy line below the wrong part. */
export function QueryMirror({
  text,
  scroll,
  problem,
  className,
}: {
  text: string;
  /** How far the field has scrolled, in pixels. */
  scroll: number;
  problem: QueryProblem | null;
  className: string;
}) {
  const from = problem?.position ?? 0;
  const to = from + Math.max(1, problem?.length ?? 0);
  return (
    <div
      aria-hidden
      className={cn(
        'absolute inset-0 flex items-center overflow-hidden whitespace-pre rounded border border-transparent bg-panel text-transparent',
        className,
      )}
    >
      {problem && (
        <span style={{ transform: `translateX(${-scroll}px)` }}>
          {text.slice(0, from)}
          <span className="underline decoration-bad decoration-wavy underline-offset-3">
            {text.slice(from, to) || ' '}
          </span>
        </span>
      )}
    </div>
  );
}

/** Shown instead of results while the query has an error. */
export function InvalidQuery({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX />}
      title="This query cannot be read"
      action={<Button onClick={onClear}>Clear the query</Button>}
    >
      See the error below the field. Nothing was searched.
    </EmptyState>
  );
}
