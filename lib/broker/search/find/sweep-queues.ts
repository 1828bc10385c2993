/** Which queues may have a reference, by one command for hundreds of them, and what the last look into each queue found. */
import { RedriveError } from '@/lib/contract/redrive-error';
import { ReadShare } from '@/lib/process/read-share';
import { perContext } from '../../redis/context-cache';
import { replyList, replyText } from '../../redis/script-reply';
import type { ShardedContext } from '../../shards/sharded-context';

/** SORT copies what it finds: few at a time, in case that many queues have large jobs of one id. */
const QUEUES_A_STEP = 500;
/** How long a look into each queue counts: which have keys, and which have a key of another type, of which SORT says nothing. */
const KNOWN_FOR_MS = 60_000;
/** A producer enters its queue in the registry once a minute; a call of it may be late. */
const ENTERED_WITHIN_MS = 120_000;

interface KnownQueues {
  /** Queues that had keys by then. */
  readonly keyed: ReadonlySet<string>;
  /** Queues that could not be read. */
  readonly damaged: ReadonlySet<string>;
  /** A queue that got its first key later is entered in the registry since then, in ms. */
  readonly since: number;
}

const states = perContext(() => ({
  /** Documented users may not: SORT by a pattern takes the right to read every key. */
  isRefused: false,
  known: null as KnownQueues | null,
  readAtMs: Number.NEGATIVE_INFINITY,
}));

export const maySweep = (ctx: ShardedContext): boolean => !states.of(ctx).isRefused;

/** Null: a look into each queue is due, as the last one is a minute old, or as Redis refuses to sweep. */
export function knownQueues(ctx: ShardedContext): KnownQueues | null {
  const { isRefused, known, readAtMs } = states.of(ctx);
  return isRefused || performance.now() - readAtMs > KNOWN_FOR_MS ? null : known;
}

/** @param at before the look began, by the clock of Redis */
export function rememberQueues(ctx: ShardedContext, at: number, seen: Omit<KnownQueues, 'since'>): void {
  const known = { ...seen, since: at - ENTERED_WITHIN_MS };
  Object.assign(states.of(ctx), { known, readAtMs: performance.now() });
}

/** What SORT reads of each queue: a field of a hash, with `*` for the name. */
export interface SweepPatterns {
  readonly byId: readonly string[];
  readonly byKey: readonly string[];
}

/**
 * @param since keys are read only of queues that a producer entered in the registry since then, in ms
 * @returns names of queues; null: Redis refuses the command
 */
export async function sweepQueues(
  ctx: ShardedContext,
  { byId, byKey }: SweepPatterns,
  since: number | null,
): Promise<ReadonlySet<string> | null> {
  const found = new Set<string>();
  const start = byId.length === 0 && since !== null ? String(since) : '';
  for (let [score, seen] = [start, 0]; ; ) {
    const args = [score, seen, QUEUES_A_STEP, since ?? '', byId.length, ...byId, ...byKey];
    const step = await ctx.run('reference-sweep', null, args).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      states.of(ctx).isRefused = true;
      return null;
    });
    if (step === null) return null;
    const [next, seenThere, ...names] = replyList(step, 'reference-sweep');
    for (const name of names) found.add(replyText(name));
    [score, seen] = [replyText(next), Number(seenThere)];
    if (score === '') return found;
  }
}

/** Of the command itself, as an unknown one or by the rights of the user. */
function isRefusal(error: unknown): boolean {
  ReadShare.current()?.signal.throwIfAborted();
  if (!(error instanceof RedriveError)) return error instanceof Error;
  return error.cause instanceof Error && error.cause.message.includes('user executing the script');
}
