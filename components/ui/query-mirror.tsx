import { cn } from './cn';
import type { QueryProblem } from './query-problem';

/** Lies under the field with the same text, unseen but for a wavy line below the part that cannot be read. */
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
