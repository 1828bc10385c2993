/** Which queues may have a reference, by one command for hundreds of them: a tenth of the time that a look into each takes. */
import { RedriveError } from '@/lib/contract/redrive-error';
import { ReadShare } from '@/lib/process/read-share';
import { perContext } from '../../redis/context-cache';
import { replyList, replyText } from '../../redis/script-reply';
import type { ShardedContext } from '../../shards/sharded-context';

/** SORT copies what it finds: few at a time, in case that many queues have large jobs of one id. */
const QUEUES_A_STEP = 500;
/** SORT passes over a key of another type without a word. How long the last look into each queue counts. */
const DAMAGE_KNOWN_FOR_MS = 60_000;

const known = perContext(() => ({
  /** Documented users may not: SORT by a pattern takes the right to read every key. */
  isRefused: false,
  damaged: new Set<string>(),
  damageReadAtMs: Number.NEGATIVE_INFINITY,
}));

/** @param patterns as SORT takes them. @returns names of queues; null: Redis refuses the command */
export async function sweepQueues(
  ctx: ShardedContext,
  patterns: readonly string[],
): Promise<ReadonlySet<string> | null> {
  const state = known.of(ctx);
  if (state.isRefused) return null;
  const found = new Set<string>();
  for (let [score, seen] = ['', 0]; ; ) {
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
  if (performance.now() - state.damageReadAtMs > DAMAGE_KNOWN_FOR_MS) {
    state.damageReadAtMs = performance.now();
    state.damaged = new Set(await look());
  }
  return state.damaged;
}
