/** Which queues may have a reference, by one command for hundreds of them: a tenth of the time that a look into each takes. */
import { RedriveError } from '@/lib/contract/redrive-error';
import { ReadShare } from '@/lib/process/read-share';
import { perContext } from '../../redis/context-cache';
import { replyList, replyText } from '../../redis/script-reply';
import type { ShardedContext } from '../../shards/sharded-context';

/** SORT copies what it finds: few at a time, in case that many queues have large jobs of one id. */
const QUEUES_A_STEP = 500;
/** How long a look into each queue counts: which have keys, and which have one of another type, of which SORT says nothing. */
const KNOWN_FOR_MS = 60_000;

/** A producer enters its queue in the registry once a minute; a call of it may be late. */
const ENTERED_WITHIN_MS = 120_000;

interface KeyedQueues {
  /** Queues that had keys by then. */
  readonly names: ReadonlySet<string>;
  /** A queue that got its first key later is entered in the registry since then, in ms. */
  readonly since: number;
}

const known = perContext(() => ({
  /** Documented users may not: SORT by a pattern takes the right to read every key. */
  isRefused: false,
  damaged: new Set<string>(),
  damageReadAtMs: Number.NEGATIVE_INFINITY,
  keyed: null as KeyedQueues | null,
  keyedReadAtMs: Number.NEGATIVE_INFINITY,
}));

/**
 * @param patterns as SORT takes them
 * @param since only queues that a producer entered in the registry since then, in ms
 * @returns names of queues; null: Redis refuses the command
 */
export async function sweepQueues(
  ctx: ShardedContext,
  patterns: readonly string[],
  since?: number,
): Promise<ReadonlySet<string> | null> {
  const state = known.of(ctx);
  if (state.isRefused) return null;
  const found = new Set<string>();
  for (let [score, seen] = [since === undefined ? '' : String(since), 0]; ; ) {
    const args = [score, seen, QUEUES_A_STEP, ...patterns];
    const step = await ctx.run('reference-sweep', null, args).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      state.isRefused = true;
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

/** Queues with keys of another type, at most a minute old. @param look finds them */
export async function damagedQueues(
  ctx: ShardedContext,
  look: () => Promise<readonly string[]>,
): Promise<ReadonlySet<string>> {
  const state = known.of(ctx);
  if (performance.now() - state.damageReadAtMs > KNOWN_FOR_MS) {
    state.damageReadAtMs = performance.now();
    state.damaged = new Set(await look());
  }
  return state.damaged;
}

/** Most queues never use keys: they need not be asked for any. @param now by the clock of Redis. @param read queues with keys */
export async function keyedQueues(
  ctx: ShardedContext,
  now: number,
  read: () => Promise<Iterable<string>>,
): Promise<KeyedQueues> {
  const state = known.of(ctx);
  if (state.keyed && performance.now() - state.keyedReadAtMs < KNOWN_FOR_MS) return state.keyed;
  const keyedReadAtMs = performance.now();
  const keyed = { names: new Set(await read()), since: now - ENTERED_WITHIN_MS };
  Object.assign(state, { keyed, keyedReadAtMs });
  return keyed;
}
