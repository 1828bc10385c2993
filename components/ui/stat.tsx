import { cn } from './cn';
import { type Tone, toneText } from './tone';

/** One number that matters: what it is, how much, in what unit, and what to compare it with. */
export function Stat({
  label,
  value,
  unit,
  sub,
  tone,
  icon,
  className,
}: {
  label: React.ReactNode;
  value: React.ReactNode;
  unit?: string;
  sub?: React.ReactNode;
  tone?: Tone;
  icon?: React.ReactNode;
  className?: string;
}) {
  return (
    <div data-slot="stat" className={cn('flex min-w-0 flex-col gap-0.5', className)}>
      <div className="flex items-center gap-1.5 text-muted text-xs [&_svg]:size-3.5">
        {icon}
        <span className="truncate">{label}</span>
      </div>
      <div
        className={cn(
          'flex items-baseline gap-1 whitespace-nowrap',
          tone && tone !== 'neutral' && toneText[tone],
        )}
      >
        <span className="font-semibold text-xl tracking-tight">{value}</span>
        {unit && <span className="text-muted text-xs">{unit}</span>}
      </div>
      {/* Always there, so a row of these keeps one height. */}
      <div className="min-h-4 truncate text-faint text-xs">{sub}</div>
    </div>
  );
}
