/**
 * Which shards of a queue a claim asks. After a wake-up the shards that woke the worker are enough: each shard has its own wake token, so
 * the others would have woken it as well.
 */
import type { ShardLayout } from '@/lib/broker/shards/shard-layout';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { ClaimResult } from './claim-from-shard';

/** A worker that is woken again and again asks each shard this often, should a wake token be lost. */
const ASK_AGAIN_AFTER_MS = 1_000;

export interface ShardChoice {
  /** Asked at the same time. */
  first: number[];
  /** Asked when those had too little. */
  others: number[];
  /** `first` is all that is likely to have jobs. */
  readonly woken: boolean;
}

/** What a shard answered last. */
interface ShardAnswer {
  readonly atMs: number;
  readonly more: boolean;
  /** Something falls due there: by Redis's clock, and by ours. */
  readonly nextAt: number;
  readonly dueAtMs: number;
}

interface ShardAnswers {
  turn: number;
  readonly byShard: (ShardAnswer | undefined)[];
}

const answers = new WeakMap<ShardLayout, ShardAnswers>();

function answersOf(layout: ShardLayout): ShardAnswers {
  const known = answers.get(layout);
  if (known) return known;
  const made = { turn: Math.floor(Math.random() * layout.count), byShard: [] };
  answers.set(layout, made);
  return made;
}

/** @param woken a wait of the caller ended with this queue: of the shards, those that ended one are asked first, and maybe alone */
export function chooseShards(ctx: ShardedContext, layout: ShardLayout, woken: boolean): ShardChoice {
  const known = answersOf(layout);
  const hints = ctx.shards.hints.get(layout.queue);
  const chosen = new Set(hints);
  hints?.clear();
  // Another worker of this process may have used them up.
  const isWoken = woken && chosen.size > 0;
  if (isWoken) addLikely(chosen, known, layout.count);
  const order = new Set(chosen);
  // In turn, so that each is first equally often.
  for (let i = 0; i < layout.count; i++) order.add((known.turn + i) % layout.count);
  known.turn = (known.turn + 1) % layout.count;
  const all = [...order];
  const first = isWoken ? chosen.size : 1;
  return { first: all.slice(0, first), others: all.slice(first), woken: isWoken };
}

/** Shards that have something to claim by what they answered, and those not asked for long. */
function addLikely(chosen: Set<number>, { byShard }: ShardAnswers, count: number): void {
  const nowMs = performance.now();
  for (let shard = 0; shard < count; shard++) {
    const last = byShard[shard];
    if (!last || last.more || last.dueAtMs <= nowMs || last.atMs <= nowMs - ASK_AGAIN_AFTER_MS)
      chosen.add(shard);
  }
}

/** @param result null: the shard did not answer */
export function rememberAnswer(layout: ShardLayout, shard: number, result: ClaimResult | null): void {
  const atMs = performance.now();
  answersOf(layout).byShard[shard] = result
    ? {
        atMs,
        more: result.more,
        nextAt: result.nextAt ?? Number.POSITIVE_INFINITY,
        dueAtMs: result.nextAt === null ? Number.POSITIVE_INFINITY : atMs + result.nextAt - result.now,
      }
    : undefined;
}

/** When the next job falls due in any shard (Redis clock), as each answered last; null: nothing waits. */
export function nextInShards(layout: ShardLayout): number | null {
  const nextAt = answersOf(layout).byShard.reduce(
    (min, answer) => Math.min(min, answer?.nextAt ?? min),
    Number.POSITIVE_INFINITY,
  );
  return Number.isFinite(nextAt) ? nextAt : null;
}
