/**
 * The registry: the names of all queues, each by when a producer entered it last. Read in pages, however many there are. Every producer's
 * Redis user can add members, so junk is filtered in Redis, and the newest names come first.
 */
import type { BrokerContext } from '../redis/broker-context';
import { replyList, replyText } from '../redis/script-reply';
import { serverNow } from '../redis/server-info';

const PAGE_MEMBERS = 1_000;
/** A producer asks what time it is and then enters the name by it; and after a failover the clock may be another. */
const LATE_MS = 60_000;
const WHOLE_EVERY_MS = 60_000;
/** Names beyond are not read; `countUnreadNames` tells. */
export const QUEUES_READ_MAX = 100_000;
/** Junk included: a registry with more is read in part. */
const MEMBERS_READ_MAX = 300_000;
/** Of the newest members, when only those are read. */
const NEW_MEMBERS_MAX = 20_000;
/** A larger registry that does not add up is read as a whole less often. */
const SMALL_MEMBERS = 10_000;
const LARGE_WHOLE_EVERY_MS = 10_000;

interface Registry {
  readonly names: readonly string[];
  readonly known: ReadonlySet<string>;
  /** Members that are no names, or were not read. */
  readonly others: number;
  /** Members that were not read. */
  readonly unread: number;
  /** When it was read, by the clock of Redis, in ms since 1970. */
  readonly readAt: number;
  /** By the monotonic clock. */
  readonly readWholeAtMs: number;
}
const registries = new WeakMap<BrokerContext, Registry>();

/**
 * The names of all queues, sorted; at most 100,000: those known before and the newest. The same array as long as nothing changed. Reads
 * only the newest members, and all of them once a minute or when their number shows that some are gone.
 */
export async function readQueueNames(ctx: BrokerContext): Promise<readonly string[]> {
  const before = registries.get(ctx);
  // Counted before members are read: a name that comes in between has the registry read as a whole, which is right as well.
  const [count, now] = await Promise.all([countQueues(ctx), serverNow(ctx, 'queues')]);
  if (before) {
    const ageMs = performance.now() - before.readWholeAtMs;
    const known = new Set(before.known);
    const isWhole = await readNewest(ctx, known, before.readAt, now);
    const addsUp = isWhole && known.size + before.others === count;
    const isLarge = count > SMALL_MEMBERS && ageMs < LARGE_WHOLE_EVERY_MS;
    if ((addsUp && ageMs < WHOLE_EVERY_MS) || isLarge)
      return remember(ctx, { ...before, known, readAt: now }, before);
  }
  const readWholeAtMs = performance.now();
  const { known, unread } = await readAll(ctx, now, count, before);
  return remember(ctx, { known, unread, others: count - known.size, readAt: now, readWholeAtMs }, before);
}

/** When the data of this Redis are gone. */
export const forgetRegistry = (ctx: BrokerContext): void => {
  registries.delete(ctx);
};

/** How many members the last reading of the names left out because there are too many; some may be queues. */
export const countUnreadNames = (ctx: BrokerContext): number => registries.get(ctx)?.unread ?? 0;

function remember(
  ctx: BrokerContext,
  read: Omit<Registry, 'names'>,
  before: Registry | undefined,
): readonly string[] {
  const { known } = read;
  const isSame = before?.known.size === known.size && [...known].every((name) => before.known.has(name));
  const names = isSame ? before.names : [...known].sort();
  registries.set(ctx, { ...read, names });
  return names;
}

async function readAll(
  ctx: BrokerContext,
  now: number,
  count: number,
  before: Registry | undefined,
): Promise<Pick<Registry, 'known' | 'unread'>> {
  const found = new Set<string>();
  // Any score can be written: members of the future come last.
  let members = await readPages(ctx, found, [now + LATE_MS, '-inf', 'desc'], MEMBERS_READ_MAX);
  if (members < count)
    members += await readPages(ctx, found, [`(${now + LATE_MS}`, '+inf', 'asc'], MEMBERS_READ_MAX - members);
  // A name that was entered again meanwhile moved out of the way of the pages.
  await readNewest(ctx, found, now, await serverNow(ctx, 'queues'));
  if (found.size < QUEUES_READ_MAX) return { known: found, unread: Math.max(0, count - members) };
  // Names that the last reading knew stay, as long as the registry has them.
  const kept = await stillRegistered(ctx, before?.names ?? []);
  const known = new Set(kept);
  for (const name of found) if (known.size < QUEUES_READ_MAX) known.add(name);
  return { known, unread: Math.max(1, count - members) };
}

/** Members entered since a reading. @returns whether all of them were read */
async function readNewest(
  ctx: BrokerContext,
  into: Set<string>,
  since: number,
  now: number,
): Promise<boolean> {
  const range = [now + LATE_MS, String(since - LATE_MS), 'desc'] as const;
  return (await readPages(ctx, into, range, NEW_MEMBERS_MAX)) < NEW_MEMBERS_MAX;
}

/** @returns how many members were read, junk included */
async function readPages(
  ctx: BrokerContext,
  into: Set<string>,
  [begin, end, direction]: readonly [begin: number | string, end: string, direction: 'asc' | 'desc'],
  most: number,
): Promise<number> {
  let [members, from, skip] = [0, begin, 0];
  while (members < most && into.size < QUEUES_READ_MAX) {
    const page = await ctx.run('registry-page', null, [from, end, skip, PAGE_MEMBERS, direction]);
    const [read, last, same, ...names] = replyList(page, 'registry-page');
    for (const name of names) into.add(replyText(name));
    members += Number(read);
    if (Number(read) < PAGE_MEMBERS) break;
    const score = replyText(last);
    skip = score === String(from) ? skip + PAGE_MEMBERS : Number(same);
    from = score;
  }
  return members;
}

async function stillRegistered(ctx: BrokerContext, names: readonly string[]): Promise<string[]> {
  const kept: string[] = [];
  for (let i = 0; i < names.length; i += PAGE_MEMBERS) {
    const part = names.slice(i, i + PAGE_MEMBERS);
    const scores = await ctx.plain((redis) => redis.zmscore(ctx.keys.global('queues'), ...part));
    kept.push(...part.filter((_, n) => scores[n] !== null));
  }
  return kept;
}

/** How many members there are, junk and names that are not read included. */
export const countQueues = (ctx: BrokerContext): Promise<number> =>
  ctx.plain((redis) => redis.zcard(ctx.keys.global('queues')));

/** Whether the registry names it: a job was enqueued to it, or its sharding was chosen. */
export async function queueExists(ctx: BrokerContext, queue: string): Promise<boolean> {
  return (await ctx.plain((redis) => redis.zscore(ctx.keys.global('queues'), queue))) !== null;
}
