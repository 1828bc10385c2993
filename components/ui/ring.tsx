'use client';
import { duration } from '@/lib/format/duration';
import { cn } from './cn';
import { useNow } from './now';
import { type Tone, toneVar } from './tone';

/** A share of a circle, from the top, clockwise. What is inside should say the same in words or digits. */
export function Ring({
  fraction,
  label,
  tone = 'accent',
  size = 32,
  thickness = 3,
  className,
  children,
}: {
  fraction: number;
  label: string;
  tone?: Tone;
  size?: number;
  thickness?: number;
  className?: string;
  children?: React.ReactNode;
}) {
  const r = (size - thickness) / 2;
  const round = 2 * Math.PI * r;
  const share = Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : 0;
  return (
    <span
      data-slot="ring"
      role="img"
      aria-label={label}
      title={label}
      className={cn('relative inline-flex shrink-0 items-center justify-center', className)}
      style={{ width: size, height: size }}
    >
      <svg aria-hidden="true" width={size} height={size} className="-rotate-90 absolute inset-0">
        <circle cx={size / 2} cy={size / 2} r={r} fill="none" stroke="var(--line)" strokeWidth={thickness} />
        <circle
          cx={size / 2}
          cy={size / 2}
          r={r}
          fill="none"
          stroke={toneVar[tone]}
          strokeWidth={thickness}
          strokeDasharray={`${(share * round).toFixed(2)} ${round.toFixed(2)}`}
        />
      </svg>
      <span aria-hidden className="relative text-2xs leading-none">
        {children}
      </span>
    </span>
  );
}

/** Time left until `until` (of `totalMs`), counting down: amber in the last third, red at zero. */
export function CountdownRing({
  until,
  totalMs,
  what = 'Lease',
  now,
  size = 32,
  className,
}: {
  until: number;
  totalMs: number;
  what?: string;
  now?: number;
  size?: number;
  className?: string;
}) {
  const live = useNow(500);
  const left = until - (now ?? live);
  const fraction = totalMs > 0 ? left / totalMs : 0;
  const tone: Tone = left <= 0 ? 'bad' : fraction < 1 / 3 ? 'warn' : 'accent';
  const label = left > 0 ? `${what}: ${duration(left)} left` : `${what} ran out ${duration(-left)} ago`;
  const seconds = Math.max(0, Math.ceil(left / 1000));
  return (
    <Ring fraction={left <= 0 ? 1 : fraction} label={label} tone={tone} size={size} className={className}>
      <span className={cn(left <= 0 && 'font-semibold text-bad')}>
        {left <= 0 ? '!' : seconds < 100 ? seconds : `${Math.ceil(seconds / 60)}m`}
      </span>
    </Ring>
  );
}
