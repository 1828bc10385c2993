/** What is asked for in words of the outside, in words of the search: checked, with its places and the time it is of. */
import { parseOrThrow } from '@/lib/contract/errors';
import { hasQueue, isEverywhere, reachesQueue, type Within } from '@/lib/contract/permissions';
import { narrowedTo, parseQueryOrThrow, queryTextSchema } from '@/lib/contract/query';
import type { JobState } from '@/lib/contract/states';
import type { SearchPosition } from '@/lib/contract/verbs';
import { decodeSearchPosition } from '../inspect/cursor';
import { QUEUES_READ_MAX, queueNames } from '../inspect/registry';
import { serverNow } from '../now';
import { guarded } from '../script';
import { isCluster } from '../server-check';
import { type Place, placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { compile, type Question } from './compile';
import { holdingPlaces, SEARCHED_SHARDS_MAX } from './holding';
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
  /** Every shard in reach, whatever it holds and the query says. */
  readonly inReach: readonly Place[];
  /** How many more shards hold something, and are not looked at: what is found is then not all. */
  readonly unsearched: number;
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
  const question: Question = { state, filter, at: from?.at ?? now, cutoff: null };
  const all = await placesOf(ctx, queues);
  const places = queue === undefined ? await placesToSearch(ctx, all, question) : all;
  return {
    question,
    places: places.slice(0, SEARCHED_SHARDS_MAX),
    inReach: all,
    unsearched: Math.max(0, places.length - SEARCHED_SHARDS_MAX) + (names.length < QUEUES_READ_MAX ? 0 : 1),
    order: orderOf(state),
    from,
    now,
    within,
    seal: looksPast ? seal : null,
  };
}

/** Without those of queues that the query rules out, and those that hold nothing. */
async function placesToSearch(
  ctx: ShardedContext,
  places: readonly Place[],
  question: Question,
): Promise<readonly Place[]> {
  const ruledOut = new Map<string, boolean>();
  for (const { queue } of places)
    if (!ruledOut.has(queue)) ruledOut.set(queue, compile(question, queue).nothing);
  return holdingPlaces(
    ctx,
    places.filter(({ queue }) => ruledOut.get(queue) !== true),
    question.state,
  );
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
