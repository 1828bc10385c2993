/** The registry: the names of all queues, each by when a producer entered it last. Read in pages, however many there are. */
import { NAME_PATTERN } from '@/lib/contract/name-pattern';
import type { BrokerContext } from '../redis/broker-context';

const PAGE_NAMES = 1_000;
/** A producer asks what time it is and then enters the name by it; and after a failover the clock may be another. */
const LATE_MS = 60_000;
const WHOLE_EVERY_MS = 60_000;
/** Names beyond are not read; `countQueues` counts them. */
export const QUEUES_READ_MAX = 100_000;

interface Registry {
  /** All members, names or not. */
  members: Set<string>;
  names: readonly string[];
  newest: string;
  /** By the monotonic clock. */
  readWholeAtMs: number;
}
const registries = new WeakMap<BrokerContext, Registry>();

/**
 * The names of all queues, sorted; at most 100,000. The same array as long as nothing changed. Reads only the newest entries, and all of
 * them once a minute or when their number shows that some are gone.
 */
export async function readQueueNames(ctx: BrokerContext): Promise<readonly string[]> {
  const known = registries.get(ctx);
  if (known && performance.now() - known.readWholeAtMs < WHOLE_EVERY_MS) {
    const members = new Set(known.members);
    const since = Number(known.newest) - LATE_MS;
    // Counted before its entries are read: one that comes in between has the names read as a whole, which is right as well.
    const [count, newest] = await Promise.all([
      countQueues(ctx),
      readInto(ctx, members, Number.isFinite(since) ? String(since) : '-inf'),
    ]);
    if (members.size === Math.min(count, QUEUES_READ_MAX))
      return remember(ctx, { members, newest, readWholeAtMs: known.readWholeAtMs }, known);
  }
  const [members, readWholeAtMs] = [new Set<string>(), performance.now()];
  const newest = await readInto(ctx, members, '-inf');
  return remember(ctx, { members, newest, readWholeAtMs }, known);
}

/** When the data of this Redis are gone. */
export const forgetRegistry = (ctx: BrokerContext): void => {
  registries.delete(ctx);
};

function remember(
  ctx: BrokerContext,
  read: Omit<Registry, 'names'>,
  before: Registry | undefined,
): readonly string[] {
  const { members } = read;
  const isSame =
    before?.members.size === members.size && [...members].every((one) => before.members.has(one));
  // Skips members that are no queue names: something else wrote them.
  const names = isSame ? before.names : [...members].filter((one) => NAME_PATTERN.test(one)).sort();
  registries.set(ctx, { ...read, names });
  return names;
}

/** Reads from a score on. A name that is entered again meanwhile moves towards the end, so none is passed over. */
async function readInto(ctx: BrokerContext, members: Set<string>, since: string): Promise<string> {
  let [from, seenThere] = [since, 0];
  while (members.size < QUEUES_READ_MAX) {
    const page = await ctx.plain((redis) =>
      redis.zrange(
        ctx.keys.global('queues'),
        from,
        '+inf',
        'BYSCORE',
        'LIMIT',
        seenThere,
        PAGE_NAMES,
        'WITHSCORES',
      ),
    );
    for (let i = 0; i < page.length; i += 2) {
      const [name = '', score = ''] = [page[i], page[i + 1]];
      members.add(name);
      [from, seenThere] = [score, score === from ? seenThere + 1 : 1];
    }
    if (page.length < 2 * PAGE_NAMES) break;
  }
  return from;
}

/** How many names there are, those that are not read included. */
export const countQueues = (ctx: BrokerContext): Promise<number> =>
  ctx.plain((redis) => redis.zcard(ctx.keys.global('queues')));

/** Whether the registry names it: a job was enqueued to it, or its sharding was chosen. */
export async function queueExists(ctx: BrokerContext, queue: string): Promise<boolean> {
  return (await ctx.plain((redis) => redis.zscore(ctx.keys.global('queues'), queue))) !== null;
}
