import { full, percentOf } from '@/lib/format/number';
import { cn } from './cn';

export interface Segment {
  readonly label: string;
  readonly value: number;
  /** A CSS colour. */
  readonly color: string;
}

/** Parts of a whole side by side. Assistive technology hears the numbers; a legend beside it should show them. */
export function StackedBar({
  label,
  segments,
  total,
  className,
}: {
  label: string;
  segments: readonly Segment[];
  /** The whole, when the parts do not make it up yet. */
  total?: number;
  className?: string;
}) {
  const sum = segments.reduce((all, { value }) => all + value, 0);
  const whole = Math.max(total ?? 0, sum, 1);
  const shown = segments.filter(({ value }) => value > 0);
  const words = shown.map(({ label: name, value }) => `${name} ${full(value)}`).join(', ');
  return (
    <div
      data-slot="stacked-bar"
      role="img"
      aria-label={`${label}: ${words || 'nothing yet'}`}
      className={cn('flex h-1.5 w-full gap-px overflow-hidden rounded-full bg-line', className)}
    >
      {shown.map(({ label: name, value, color }) => (
        <span
          key={name}
          title={`${name}: ${full(value)} (${percentOf(value, whole)})`}
          className="block h-full min-w-0.5 transition-[width] duration-300"
          style={{ width: `${(value / whole) * 100}%`, backgroundColor: color }}
        />
      ))}
    </div>
  );
}
