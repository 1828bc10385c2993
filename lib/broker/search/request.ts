/** What is asked for in words of the outside, in words of the search: checked, with its places and the time it is of. */
import { parseOrThrow } from '@/lib/contract/errors';
import { hasQueue, isEverywhere, reachesQueue, type Within } from '@/lib/contract/permissions';
import { narrowedTo, parseQueryOrThrow, queryTextSchema } from '@/lib/contract/query';
import type { JobState } from '@/lib/contract/states';
import type { SearchPosition } from '@/lib/contract/verbs';
import { decodeSearchPosition } from '../inspect/cursor';
import { queueNames } from '../inspect/snapshot';
import { serverNow } from '../now';
import { guarded } from '../script';
import { isCluster } from '../server-check';
import { type Place, placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';
import type { Question } from './compile';
import { isSealed, type Seal, sealOf } from './seal';
import type { Order } from './step';

export interface SearchScope {
  state: JobState;
  q: string;
  /** Only this queue; left out: all. */
  queue?: string | undefined;
  /** Only what lies within; left out: everything. */
  within?: Within | undefined;
}
export interface Search {
  readonly question: Question;
  readonly places: readonly Place[];
  readonly order: Order;
  readonly from: SearchPosition | null;
  readonly now: number;
  /** What it may show; left out: everything. */
  readonly within: Within | undefined;
  /**
   * Some of what it looks at is not for its asker to know of, be it by a position or by how much it is. Null: all of it is.
   */
  readonly seal: Seal | null;
}

/** Waiting states are read from the front of the line; ended ones from the newest. */
const NEWEST_FIRST: ReadonlySet<JobState> = new Set(['completed', 'dead', 'suppressed', 'trashed']);
export const orderOf = (state: JobState): Order => (NEWEST_FIRST.has(state) ? 'newest' : 'oldest');

/** @throws RedriveError BAD_QUERY | BAD_CURSOR | VALIDATION */
export async function openSearch(
  ctx: ShardedContext,
  { state, q, queue, within: asked }: SearchScope,
  cursor?: string,
): Promise<Search> {
  const within = asked && isEverywhere(asked) ? undefined : asked;
  const filter = narrowedTo(parseQueryOrThrow(parseOrThrow(queryTextSchema, q, 'q')), within);
  const [now, names] = await Promise.all([
    timeNow(ctx),
    queue === undefined ? queueNames(ctx) : [ctx.shards.check(queue)],
  ]);
  const queues = reachedBy(within, names);
  const looksPast = within !== undefined && !queues.every((name) => hasQueue(within, name));
  const seal = looksPast || (cursor !== undefined && isSealed(cursor)) ? await sealOf(ctx) : null;
  const from = cursor === undefined ? null : decodeSearchPosition(cursor, seal);
  return {
    question: { state, filter, at: from?.at ?? now, cutoff: null },
    places: await placesOf(ctx, queues),
    order: orderOf(state),
    from,
    now,
    within,
    seal: looksPast ? seal : null,
  };
}

/** Those of which something lies within. */
export const reachedBy = (within: Within | undefined, queues: readonly string[]): readonly string[] =>
  within === undefined ? queues : queues.filter((queue) => reachesQueue(within, queue));

/** On a Cluster, when the node whose clock is asked is away, that of any other will do: ages are read, and nothing is decided by it. */
async function timeNow(ctx: ShardedContext): Promise<number> {
  try {
    return await serverNow(ctx);
  } catch (error) {
    const { redis } = ctx;
    if (!isCluster(redis)) throw error;
    const [seconds, micros] = await guarded(
      redis,
      Promise.any(redis.nodes('master').map((node) => node.time())),
    ).catch(() => {
      throw error;
    });
    return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
  }
}
