import type { Overview } from '@/lib/contract/queue';
import { bytes } from '@/lib/format/bytes';

/** Whether Redis answers, how fast, and how full it is. */
export function RedisLine({ redis }: { redis: Overview['redis'] }) {
  if (redis.error !== null) {
    return <p className="font-medium text-bad text-xs">Redis: {redis.error}</p>;
  }
  return (
    <p className="flex flex-wrap gap-x-3 text-muted text-xs">
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
