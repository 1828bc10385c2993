import { percentOf } from '@/lib/format/number';
import { cn } from './cn';
import { type Tone, toneVar } from './tone';

/** How much of a known whole is done. Without a `total` it is unknown, and says so. */
export function Progress({
  value,
  total,
  label,
  tone = 'accent',
  text,
  className,
}: {
  value: number;
  total: number | null;
  label: string;
  tone?: Tone;
  /** What assistive technology hears instead of the percentage. */
  text?: string;
  className?: string;
}) {
  const share = total && total > 0 ? Math.min(1, Math.max(0, value / total)) : null;
  return (
    <div
      data-slot="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share === null ? undefined : Math.round(share * 100)}
      aria-valuetext={text ?? (share === null ? 'Amount unknown' : percentOf(value, total))}
      className={cn('h-1.5 w-full overflow-hidden rounded-full bg-line', className)}
    >
      <div
        className={cn(
          'h-full rounded-full transition-[width] duration-300',
          share === null && 'w-1/3 opacity-60 motion-safe:animate-pulse',
        )}
        style={{ backgroundColor: toneVar[tone], width: share === null ? undefined : `${share * 100}%` }}
      />
    </div>
  );
}
