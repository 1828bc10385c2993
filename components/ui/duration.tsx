import { duration } from '@/lib/format/duration';
import { full } from '@/lib/format/number';
import { cn } from './cn';

/** "3 m 12 s", with the milliseconds on hover. */
export function Duration({ ms, className }: { ms: number | null | undefined; className?: string }) {
  const known = ms !== null && ms !== undefined && Number.isFinite(ms);
  return (
    <span
      data-slot="duration"
      title={known && Math.abs(ms) >= 1_000 ? `${full(Math.round(ms))} ms` : undefined}
      className={cn('whitespace-nowrap', className)}
    >
      {duration(ms)}
    </span>
  );
}
