/** The job type that a failing queue fails with, where it has clearly more of the failed runs than of all runs. */
import type { TypeRuns } from '@/lib/broker';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { type FailingType, QUEUE_RULES } from './queue-rules';

const MINUTE_MS = 60_000;
/** The history takes the counts every ten minutes, by the clock. */
const COUNTED_MS = 10 * MINUTE_MS;
/** Fewer failed runs tell no share. */
const FAILED_MIN = 10;
const MOST = 2 / 3;
const CLEARLY_MORE = 0.1;

/** Pure. @param now by the clock of Redis */
export function failingType(runs: readonly TypeRuns[], now: number): FailingType | null {
  const windowMs = now % COUNTED_MS;
  const sum = (of: 'failed' | 'claimed') => runs.reduce((total, one) => total + one[of], 0);
  const [first] = runs.toSorted((a, b) => b.failed - a.failed);
  // In the first minute the counts may still be of the ten minutes before. `*` is many types.
  if (!first || first.jobType === '*' || windowMs < MINUTE_MS || sum('failed') < FAILED_MIN) return null;
  const share = first.failed / sum('failed');
  const shareOfWork = first.claimed / Math.max(1, sum('claimed'));
  if (share < MOST || share < shareOfWork + CLEARLY_MORE) return null;
  return { jobType: first.jobType, share, windowMs };
}

const READ_EVERY_MS = 5_000;
const QUEUES_MAX = 10;
/** A type stays named over the minute in which the counts begin anew. */
const KEEP_MS = 2 * MINUTE_MS;

interface Known {
  readonly type: FailingType;
  readonly at: number;
}

export class FailingTypes {
  types: ReadonlyMap<string, FailingType> = new Map();
  private known: ReadonlyMap<string, Known> = new Map();
  private readAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly readRuns: (queue: string) => Promise<TypeRuns[]>) {}

  /** Reads the counts of failing queues, if any, at most every five seconds. @param now by the clock of Redis */
  async look(rows: readonly QueueSnapshot[], now: number): Promise<void> {
    if (now >= this.readAt && now - this.readAt < READ_EVERY_MS) return;
    const failing = rows.filter((row) => QUEUE_RULES.FAILING.level(row, now) !== null).slice(0, QUEUES_MAX);
    this.readAt = failing.length > 0 ? now : Number.NEGATIVE_INFINITY;
    const found = failing.map(async ({ queue }): Promise<[string, Known][]> => {
      const type = failingType(await this.readRuns(queue).catch(() => []), now);
      const before = this.known.get(queue);
      if (type) return [[queue, { type, at: now }]];
      return before && now - before.at < KEEP_MS ? [[queue, before]] : [];
    });
    this.known = new Map((await Promise.all(found)).flat());
    this.types = new Map([...this.known].map(([queue, { type }]) => [queue, type]));
  }
}
