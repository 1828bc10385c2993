/** Readings of a queue's shards as one: counts add up, ages are the oldest, times the next. Pure. */
import type { Pause } from '@/lib/contract/queue';
import { fieldsOf, type QueueReading } from './reading';

/** @param parts the shards that could be read, at least one */
export function mergedReading(
  queue: string,
  parts: readonly [QueueReading, ...QueueReading[]],
  shards: QueueReading['shards'],
): QueueReading {
  const [first] = parts;
  if (parts.length === 1) return { ...first, queue, shards };
  const sum = (of: (reading: QueueReading) => number) => parts.reduce((total, one) => total + of(one), 0);
  const known = (of: (reading: QueueReading) => number | null) =>
    parts.map(of).filter((value) => value !== null);
  const soonest = (of: (reading: QueueReading) => number | null) => least(known(of));
  const longest = (of: (reading: QueueReading) => number | null) => most(known(of));
  const limits = known((one) => one.depth.limit);
  return {
    queue,
    at: Math.max(...parts.map((one) => one.at)),
    counts: fieldsOf(keysOf(first.counts), (state) => sum((one) => one.counts[state])),
    ledger: fieldsOf(keysOf(first.ledger), (field) => sum((one) => one.ledger[field])),
    totals: fieldsOf(keysOf(first.totals), (field) => sum((one) => one.totals[field])),
    rows: sum((one) => one.rows),
    oldestReadyAgeMs: longest((one) => one.oldestReadyAgeMs),
    nextDueAt: soonest((one) => one.nextDueAt),
    overdueLeaseMs: longest((one) => one.overdueLeaseMs),
    pauses: mergedPauses(parts.flatMap((one) => one.pauses)),
    draining: parts.some((one) => one.draining),
    depth: {
      jobs: sum((one) => one.depth.jobs),
      limit: limits.length > 0 ? limits.reduce((total, limit) => total + limit, 0) : null,
    },
    throttledTenants: sum((one) => one.throttledTenants),
    deadExpireAt: soonest((one) => one.deadExpireAt),
    shards,
    runTimes: {
      buckets: summed(parts.map((one) => one.runTimes.buckets)),
      sumMs: sum((one) => one.runTimes.sumMs),
    },
    attempts: new Map([...summed(parts.map((one) => one.attempts))].sort(([a], [b]) => a - b)),
  };
}

const keysOf = <K extends string>(record: Record<K, number>) => Object.keys(record) as K[];
const least = (values: readonly number[]) => (values.length > 0 ? Math.min(...values) : null);
const most = (values: readonly number[]) => (values.length > 0 ? Math.max(...values) : null);

function summed<K>(maps: readonly ReadonlyMap<K, number>[]): Map<K, number> {
  const total = new Map<K, number>();
  for (const map of maps) for (const [key, count] of map) total.set(key, (total.get(key) ?? 0) + count);
  return total;
}

/** One pause reaches the shards a moment apart: it is as old as in the first of them, and lasts as long as in the last. */
function mergedPauses(pauses: readonly Pause[]): Pause[] {
  const byScope = new Map<string, Pause>();
  for (const pause of pauses) {
    const known = byScope.get(pause.scope);
    const until =
      known?.until === null || pause.until === null ? null : Math.max(known?.until ?? 0, pause.until);
    byScope.set(pause.scope, known ? { ...known, since: Math.min(known.since, pause.since), until } : pause);
  }
  return [...byScope.values()].sort((a, b) => a.since - b.since);
}
