import { fullNumber, percentOf } from '@/lib/format/number';
import { cn } from './cn';
import { type Tone, toneVar } from './tone';

/** A progress bar; indeterminate without a `total`. */
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

interface Segment {
  readonly label: string;
  readonly value: number;
  /** A CSS colour. */
  readonly color: string;
}

/** Parts of a whole side by side. Assistive technology hears the numbers; a legend beside it should show them. */
export function StackedBar({
  label,
  segments,
  className,
}: {
  label: string;
  segments: readonly Segment[];
  className?: string;
}) {
  const whole = Math.max(
    segments.reduce((sum, { value }) => sum + value, 0),
    1,
  );
  const shown = segments.filter(({ value }) => value > 0);
  const words = shown.map(({ label: name, value }) => `${name} ${fullNumber(value)}`).join(', ');
  return (
    <div
      role="img"
      aria-label={`${label}: ${words || 'nothing yet'}`}
      className={cn('flex h-1.5 w-full gap-px overflow-hidden rounded-full bg-line', className)}
    >
      {shown.map(({ label: name, value, color }) => (
        <span
          key={name}
          title={`${name}: ${fullNumber(value)} (${percentOf(value, whole)})`}
          className="block h-full min-w-0.5 transition-[width] duration-300"
          style={{ width: `${(value / whole) * 100}%`, backgroundColor: color }}
        />
      ))}
    </div>
  );
}
