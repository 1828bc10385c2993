/** The registry: the names of all queues, each by when a producer entered it last. Read in pages, however many there are. */
import { NAME_PATTERN } from '@/lib/contract/names';
import type { BrokerContext } from '../context';

const PAGE_NAMES = 1_000;
/** More names than that are not read; `registeredQueues` tells how many there are, so that what is left out can be said. */
export const QUEUES_READ_MAX = 100_000;

interface Registry {
  /** All members, also what is no name. */
  members: Set<string>;
  names: readonly string[];
  newest: string;
}
const registries = new WeakMap<BrokerContext, Registry>();

/**
 * The names of all queues, in the order of their letters; at most 100,000. The same array as long as nothing changed.
 *
 * What was entered since the last reading stands at the end, by the clock of Redis: only that is read, and all of it again when the
 * number of names says that some are gone.
 */
export async function queueNames(ctx: BrokerContext): Promise<readonly string[]> {
  const known = registries.get(ctx);
  if (known) {
    const members = new Set(known.members);
    const newest = await readInto(ctx, members, known.newest);
    const count = await registeredQueues(ctx);
    if (members.size === Math.min(count, QUEUES_READ_MAX)) return remember(ctx, members, newest, known);
  }
  const members = new Set<string>();
  return remember(ctx, members, await readInto(ctx, members, '-inf'), known);
}

/** When the data of this Redis are gone. */
export const forgetRegistry = (ctx: BrokerContext): void => {
  registries.delete(ctx);
};

function remember(
  ctx: BrokerContext,
  members: Set<string>,
  newest: string,
  before: Registry | undefined,
): readonly string[] {
  const isSame =
    before?.members.size === members.size && [...members].every((one) => before.members.has(one));
  // What somebody else wrote there is no queue, and must not end what is done with the others.
  const names = isSame ? before.names : [...members].filter((one) => NAME_PATTERN.test(one)).sort();
  registries.set(ctx, { members, names, newest });
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
export const registeredQueues = (ctx: BrokerContext): Promise<number> =>
  ctx.plain((redis) => redis.zcard(ctx.keys.global('queues')));

/** Whether the registry names it: a job was enqueued to it, or its sharding was chosen. */
export async function queueExists(ctx: BrokerContext, queue: string): Promise<boolean> {
  return (await ctx.plain((redis) => redis.zscore(ctx.keys.global('queues'), queue))) !== null;
}
