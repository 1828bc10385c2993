import { CircleAlert } from 'lucide-react';
import { Button } from './button';

export interface QueryProblem {
  readonly message: string;
  /** The wrong part, counted from 0. */
  readonly position: number;
  readonly length: number;
  /** What would stand there instead; null when nobody can tell. */
  readonly suggestion: string | null;
}

/** Why the text cannot be read, where, and the fix as a button. */
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
    <div data-slot="query-problem" className="mt-1.5 flex min-h-6 items-start gap-2 text-sm">
      <CircleAlert aria-hidden className="mt-1 size-3.5 shrink-0 text-bad" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
        <p id={id} role="alert" className="min-w-0 leading-6">
          <span className="text-bad">{message}</span>{' '}
          <span className="text-faint text-xs">At character {position + 1}.</span>
        </p>
        {suggestion !== null && (
          <Button size="sm" onClick={onFix}>
            {suggestion === '' ? 'Remove it' : 'Use'}
            {suggestion !== '' && <span className="font-mono">{suggestion}</span>}
          </Button>
        )}
      </div>
    </div>
  );
}
