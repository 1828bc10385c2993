/** Whether jobs that would run again still die, in a sentence; pure. */
import type { Preview } from '@/lib/contract/operations/operation-preview';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { relativeTime } from '@/lib/format/date-time';
import { percent } from '@/lib/format/number';

/** An older death says nothing of now. */
const LATELY_MS = 60_000;
/** So many failed runs tell a ratio; fewer are chance. */
const FAILED_MIN = 10;
/** A share below is no reason to wait. */
const RATIO_MIN = 0.05;

type Failing = Pick<QueueSnapshot, 'queue' | 'rates'>;

/** "Last death 1 s ago. 70% of runs in mail failed in the last minute." Null: nothing says that the failure goes on. */
export function goesOnSentence(
  { scope, samples }: Pick<Preview, 'scope' | 'samples'>,
  queues: readonly Failing[],
  now: number,
): string | null {
  // The samples are the newest jobs, the newest first.
  const diedAt = scope.state === 'dead' ? (samples[0]?.stateAt ?? null) : null;
  const isLate = diedAt !== null && now - diedAt <= LATELY_MS;
  const shares = queues.flatMap(({ queue, rates: { failureRatio, failedPerSecond, windowMs } }) =>
    failureRatio !== null && failureRatio >= RATIO_MIN && (failedPerSecond * windowMs) / 1_000 >= FAILED_MIN
      ? [`${percent(Math.round(failureRatio * 100) / 100)} of runs in ${queue} failed in the last minute.`]
      : [],
  );
  if (!isLate && shares.length === 0) return null;
  const death = diedAt === null ? [] : [`Last death ${relativeTime(diedAt, now)}.`];
  return [...death, ...shares].join(' ');
}
