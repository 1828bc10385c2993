'use client';
import { duration } from '@/lib/format/duration';
import { cn } from './cn';
import { useNow } from './text/clock-provider';
import { type Tone, toneVar } from './tone';

const THICKNESS = 3;

/** Time left until `until` (of `totalMs`), counting down: amber in the last third, red at zero. */
export function CountdownRing({
  until,
  totalMs,
  what = 'Lease',
  size,
  className,
}: {
  until: number;
  totalMs: number;
  what?: string;
  size: number;
  className?: string;
}) {
  const left = until - useNow(500);
  const expired = left <= 0;
  const fraction = totalMs > 0 ? left / totalMs : 0;
  const tone: Tone = expired ? 'bad' : fraction < 1 / 3 ? 'warn' : 'accent';
  const label = expired ? `${what} ran out ${duration(-left)} ago` : `${what}: ${duration(left)} left`;
  const seconds = Math.ceil(left / 1000);
  const circle = {
    cx: size / 2,
    cy: size / 2,
    r: (size - THICKNESS) / 2,
    fill: 'none',
    strokeWidth: THICKNESS,
    pathLength: 1,
  };
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={cn('relative inline-flex shrink-0 items-center justify-center', className)}
      style={{ width: size, height: size }}
    >
      <svg aria-hidden="true" width={size} height={size} className="-rotate-90 absolute inset-0">
        <circle {...circle} stroke="var(--line)" />
        <circle
          {...circle}
          stroke={toneVar[tone]}
          strokeDasharray={`${expired ? 1 : Math.min(1, fraction).toFixed(4)} 1`}
        />
      </svg>
      <span aria-hidden className={cn('relative text-2xs leading-none', expired && 'font-semibold text-bad')}>
        {expired ? '!' : seconds < 100 ? seconds : `${Math.ceil(seconds / 60)}m`}
      </span>
    </span>
  );
}
