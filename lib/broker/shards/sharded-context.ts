/**
 * Which queues are sharded, as every process remembers it: a few, in one hash that is read again in the background while the broker is
 * used. An absent queue has one shard.
 */

import { queueNameSchema } from '@/lib/contract/name-schemas';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import type { BrokerContext } from '../redis/broker-context';
import { closedError } from '../redis/connection-health';
import { parseLayout, type ShardLayout, singleShard } from './shard-layout';

/** An older layout is read again in the background … */
const REFRESH_AFTER_MS = 2_000;
/** … and calls that must see a change soon wait for a newer one than this. */
export const KNOWN_FOR_MS = 5_000;
const NAMES_REMEMBERED = 10_000;
/** Counts the changes of the record, in a field that is no queue's. */
const VERSION_FIELD = '#';
/** What was changed in the record by hand is seen after this long. */
const WHOLE_EVERY_MS = 60_000;

export interface Shards {
  /** For what goes to the first shard, or to none: the name and nothing but a name. @throws RedriveError VALIDATION */
  check(queue: string): string;
  /** As last read, however long ago: for what Redis itself checks (`enqueue`). Undefined when nothing was read yet. */
  known(queue: string): ShardLayout | undefined;
  /** As read within the last seconds; undefined when it must be read anew: then ask `of`. @throws RedriveError VALIDATION */
  recent(queue: string): ShardLayout | undefined;
  /** The same, read if need be. An older reading serves while there can be no newer one. */
  of(queue: string): Promise<ShardLayout>;
  /** As it is now: for what must reach every shard, such as a pause. */
  fresh(queue: string): Promise<ShardLayout>;
  /** How queues are sharded, as last read: the same object as long as nothing changed. */
  record(): ReadonlyMap<string, ShardLayout>;
  /** After a loss of data. Returns the layouts of sharded queues. */
  forget(): readonly ShardLayout[];
  /** Shards that ended a wait here: the next claim starts with them. */
  readonly hints: Map<string, Set<number>>;
  /** Shards that did not answer lately; see claim. */
  readonly backedOff: Map<string, ShardBackOff>;
}

export interface AbandonOptions {
  /** The claim was made with `unindexed`, or by `exchange`: all jobs in flight are looked through, in steps. */
  readonly unindexed?: boolean;
}
/** A claim that may have lost its reply. */
export interface LostClaim extends AbandonOptions {
  readonly nonce: string;
  /** Of the calls of this name only the one with tokens that end in this: another call may use the name again. */
  readonly only?: string | undefined;
}

export interface ShardBackOff {
  failures: number;
  /** By the monotonic clock: then a probe looks whether it answers again. */
  untilMs: number;
  probing: boolean;
  /** By nonce: claims that lost their reply, given back before any other call to the shard. */
  readonly lostClaims: Map<string, LostClaim>;
}

export interface ShardedContext extends BrokerContext {
  readonly shards: Shards;
}

export const withShards = (ctx: BrokerContext): ShardedContext =>
  Object.assign(ctx, { shards: createShards(ctx) });

export function createShards(ctx: BrokerContext): Shards {
  let sharded = new Map<string, ShardLayout>();
  /** What the record no longer had when it was read last: perhaps because all data are gone, which is noticed a little later. */
  let dropped: { layouts: readonly ShardLayout[]; atMs: number } = { layouts: [], atMs: 0 };
  /** Names that passed the check, with their layouts: what a call looks up. */
  let layouts = new Map<string, ShardLayout>();
  let wholeText = '';
  let readAtMs = Number.NEGATIVE_INFINITY;
  /** The node that holds the record is unreachable: the cached layout is used until a refresh succeeds. */
  let excusedUntilMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<ReadonlyMap<string, ShardLayout>> | null = null;
  let losses = 0;

  /** Which change the record was read after, and how many rows it had. */
  let readAs = '';
  let readWholeAtMs = Number.NEGATIVE_INFINITY;

  /**
   * All of it only after a change: there may be a thousand rows, and every process asks every two seconds. What was asked for before data
   * were lost does not count, or it would pass for what the record holds now.
   */
  async function read(): Promise<ReadonlyMap<string, ShardLayout>> {
    const key = ctx.keys.global('queuesSharding');
    for (;;) {
      const [askedAtMs, lossesBefore] = [performance.now(), losses];
      const [version, rows] = await Promise.all([
        ctx.plain((redis) => redis.hget(key, VERSION_FIELD)),
        ctx.plain((redis) => redis.hlen(key)),
      ]);
      const newest = `${version ?? ''} ${rows}`;
      const isWhole = newest !== readAs || askedAtMs - readWholeAtMs > WHOLE_EVERY_MS;
      const whole = isWhole ? await ctx.plain((redis) => redis.hgetall(key)) : null;
      if (losses !== lossesBefore) continue;
      if (whole) {
        remember(whole);
        [readAs, readWholeAtMs] = [newest, askedAtMs];
      }
      readAtMs = askedAtMs;
      return sharded;
    }
  }

  function remember(rows: Readonly<Record<string, string>>): void {
    const read = new Map(
      Object.entries(rows).flatMap(([queue, row]) => {
        // An unreadable record is none, like that of a queue that was never sharded: its first shard stays in reach.
        const layout = queueNameSchema.safeParse(queue).success ? parseLayout(queue, row) : null;
        return layout ? [[queue, layout] as const] : [];
      }),
    );
    const text = Object.entries(rows).sort().join('\n');
    if (text === wholeText) return;
    wholeText = text;
    const gone = [...sharded.values()].filter(({ queue }) => !read.has(queue));
    if (gone.length > 0) dropped = { layouts: gone, atMs: performance.now() };
    sharded = read;
    layouts = new Map();
  }
  /** One reading at a time; who asks meanwhile gets the one under way. */
  const readOnce = (): Promise<ReadonlyMap<string, ShardLayout>> => {
    // One that was under way at the close may end with another word.
    if (ctx.isClosed()) return Promise.reject(closedError());
    reading ??= read()
      .catch((error: unknown) => {
        excusedUntilMs = performance.now() + REFRESH_AFTER_MS;
        throw error;
      })
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const layout = (queue: string): ShardLayout => {
    const found = layouts.get(queue);
    if (found) return found;
    parseOrThrow(queueNameSchema, queue, 'queue');
    const made = sharded.get(queue) ?? singleShard(queue);
    if (layouts.size < NAMES_REMEMBERED) layouts.set(queue, made);
    return made;
  };
  /** By the end of a reading everything may be forgotten again. */
  const layoutIn = (record: ReadonlyMap<string, ShardLayout>, queue: string): ShardLayout =>
    record.get(queue) ?? layout(queue);
  const ageMs = () => performance.now() - readAtMs;
  const known = (queue: string): ShardLayout | undefined => {
    const age = ageMs();
    // A failure shows in the caller's own call; this one only refreshes the reading.
    if (age > REFRESH_AFTER_MS) readOnce().catch(() => undefined);
    return age === Number.POSITIVE_INFINITY ? undefined : layout(queue);
  };
  const recent = (queue: string) =>
    ageMs() < KNOWN_FOR_MS || performance.now() < excusedUntilMs ? known(queue) : undefined;
  return {
    check: (queue) => (layouts.has(queue) ? queue : parseOrThrow(queueNameSchema, queue, 'queue')),
    known,
    recent,
    async of(queue) {
      parseOrThrow(queueNameSchema, queue, 'queue');
      try {
        return recent(queue) ?? layoutIn(await readOnce(), queue);
      } catch (error) {
        const old = known(queue);
        if (old) return old;
        throw error;
      }
    },
    async fresh(queue) {
      parseOrThrow(queueNameSchema, queue, 'queue');
      // One that is under way may have been answered before what the caller has just seen.
      await reading?.catch(() => undefined);
      return layoutIn(await readOnce(), queue);
    },
    record: () => sharded,
    forget() {
      losses += 1;
      const isRecent = performance.now() - dropped.atMs < KNOWN_FOR_MS;
      const before = [...(isRecent ? dropped.layouts : []), ...sharded.values()];
      dropped = { layouts: [], atMs: 0 };
      sharded = new Map();
      layouts = new Map();
      [readAs, wholeText] = ['', ''];
      readAtMs = Number.NEGATIVE_INFINITY;
      return before;
    },
    hints: new Map(),
    backedOff: new Map(),
  };
}
