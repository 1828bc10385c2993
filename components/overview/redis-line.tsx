import { cn } from '@/components/ui/cn';
import type { Overview } from '@/lib/contract/queue';
import { bytes } from '@/lib/format/bytes';

/** Whether Redis answers, how fast, and how full it is. */
export function RedisLine({ redis, className }: { redis: Overview['redis']; className?: string }) {
  if (redis.error !== null) {
    return (
      <p title={redis.error} className={cn('font-medium text-bad text-xs', className)}>
        Redis does not answer
      </p>
    );
  }
  return (
    <p className={cn('flex flex-wrap gap-x-3 text-muted text-xs', className)}>
      <span>Redis {redis.version ?? '(version unknown)'}</span>
      <span>
        round trip <span className="text-fg">{milliseconds(redis.roundTripMs)}</span>
      </span>
      <span>
        memory <span className="text-fg">{bytes(redis.usedMemoryBytes)}</span>
      </span>
    </p>
  );
}

/** Two decimals under 10 ms: here the tenths are what tells a well Redis from an ill one. */
function milliseconds(ms: number | null): string {
  if (ms === null) return '–';
  return `${ms < 10 ? ms.toFixed(2) : Math.round(ms)} ms`;
}
