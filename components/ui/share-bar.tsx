import { compact, percentOf } from '@/lib/format/number';
import { cn } from './cn';

export type Share = { key: string; label: string; value: number; color: string };

/** Parts of a whole, side by side. `legend` lists them below; without it they must be named nearby. */
export function ShareBar({
  label,
  shares,
  legend,
  className,
}: {
  label: string;
  shares: readonly Share[];
  legend?: boolean;
  className?: string;
}) {
  const shown = shares.filter((s) => s.value > 0);
  const total = shown.reduce((sum, s) => sum + s.value, 0);
  const words = shown.map((s) => `${s.label} ${compact(s.value)} (${percentOf(s.value, total)})`).join(', ');
  return (
    <div data-slot="share-bar" className={cn('min-w-0', className)}>
      <div
        role="img"
        aria-label={`${label}: ${words || 'nothing'}`}
        className="flex h-2 gap-px overflow-hidden rounded-full bg-line"
      >
        {shown.map((s) => (
          <div
            key={s.key}
            title={`${s.label} ${compact(s.value)} (${percentOf(s.value, total)})`}
            // A share too small to see still has to be seen: it is there.
            className="min-w-1"
            style={{ flexGrow: s.value / total, flexBasis: 0, backgroundColor: s.color }}
          />
        ))}
      </div>
      {legend && (
        <ul className="mt-1.5 flex flex-wrap gap-x-3 gap-y-0.5 text-xs">
          {shares.map((s) => (
            <li key={s.key} className="flex items-center gap-1.5 whitespace-nowrap text-muted">
              <span aria-hidden className="size-2 rounded-xs" style={{ backgroundColor: s.color }} />
              {s.label} <span className="text-fg">{compact(s.value)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
