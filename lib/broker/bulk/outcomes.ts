/** What became of the jobs an operation put back: read from the places, as long as some of them wait or run, also after its end. */
import { type Outcome, RERUNS } from '@/lib/contract/operations';
import type { OperationRecord } from '@/lib/contract/verbs';
import { type Place, placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { outcomeOf } from './outcome';

/** Many may look at the same operation: what was read is good for this long. */
const GOOD_FOR_MS = 1_000;
const KEPT_MAX = 200;

interface Kept {
  readonly outcome: Outcome;
  readonly moved: number;
  readonly readAtMs: number;
}
const kept = new WeakMap<ShardedContext, Map<string, Kept>>();

export const hasOutcome = ({ kind }: Pick<OperationRecord, 'kind'>): boolean => RERUNS.has(kind);

/** Nothing of it waits or runs any more: it stays as it is. */
export const isSettled = (outcome: Outcome | null): boolean =>
  outcome !== null && outcome.waiting === 0 && outcome.running === 0;

/** Where its jobs run: those moved to another queue, there. */
export async function outcomePlaces(ctx: ShardedContext, record: OperationRecord): Promise<readonly Place[]> {
  return record.target === null ? record.places : placesOf(ctx, [record.target]);
}

/** As it is now; null when it has none. @throws when a place does not answer */
export async function readOutcome(
  ctx: ShardedContext,
  record: OperationRecord,
  moved: number,
): Promise<Outcome | null> {
  if (!hasOutcome(record)) return null;
  const outcome = await outcomeOf(ctx, await outcomePlaces(ctx, record), record.id, moved);
  const all = kept.get(ctx) ?? new Map<string, Kept>();
  kept.set(ctx, all);
  all.delete(record.id);
  if (all.size >= KEPT_MAX) all.delete(all.keys().next().value ?? '');
  all.set(record.id, { outcome, moved, readAtMs: performance.now() });
  return outcome;
}

/** As it was a second ago at most; as last known when it cannot be read. */
export async function recentOutcome(ctx: ShardedContext, record: OperationRecord): Promise<Outcome | null> {
  if (!hasOutcome(record)) return null;
  const last = kept.get(ctx)?.get(record.id);
  if (last && last.moved === record.moved && performance.now() - last.readAtMs < GOOD_FOR_MS)
    return last.outcome;
  return readOutcome(ctx, record, record.moved).catch(() => last?.outcome ?? record.outcome);
}
