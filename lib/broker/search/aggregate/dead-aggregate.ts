/** Dead letters of a shard counted by seven fields: counts, facets and groups without reading jobs. Cached for about a second. */
import { LRUCache } from 'lru-cache';
import type { DeathRow } from '@/lib/broker/jobs/read/stored-rows';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { perContext } from '@/lib/broker/redis/context-cache';
import { replyList, replyText } from '@/lib/broker/redis/script-reply';
import { createMatcher, type Filter, filterKey, normalise } from '@/lib/contract/search/query';
import { asShared } from '@/lib/process/read-share';

export type AggregateKey = Omit<DeathRow, 'priority' | 'operation'>;
export interface AggregateCell {
  /** The key as it is stored. */
  readonly field: string;
  readonly key: AggregateKey;
  readonly count: number;
}
export interface DeadAggregate {
  /** When it was read, by Redis's clock. */
  readonly at: number;
  /** Nothing changed while it was read. */
  readonly consistent: boolean;
  readonly cells: readonly AggregateCell[];
}

/** With more cells, an aggregate costs more than it saves. */
const CELLS_MAX = 50_000;
const FRESH_MS = 1_000;
/** Smaller ones are read each time: one call says whether anything changed, and brings most of what did. */
const SMALL_CELLS = 2_000;
const CACHED_CELLS_MAX = 200_000;
/** HSCAN may return more or fewer entries than asked for. */
const PARTS_MAX = 1_000;

interface Entry {
  /** Of the data that were read; the same stamp means the same counts. */
  stamp: string;
  readAtMs: number;
  aggregate: DeadAggregate | null;
  reading: Promise<DeadAggregate | null> | null;
}
const cached = perContext(
  () =>
    new LRUCache<string, Entry>({
      maxSize: CACHED_CELLS_MAX,
      sizeCalculation: ({ aggregate }) => 1 + (aggregate?.cells.length ?? 0),
    }),
);

/** Null: the shard has no reliable aggregate. @param fresh not from the cache, for decisions that need exact numbers */
export async function readDeadAggregate(
  ctx: BrokerContext,
  shardName: string,
  fresh = false,
): Promise<DeadAggregate | null> {
  if (fresh) return (await read(ctx, shardName, null)).aggregate;
  const cache = cached.of(ctx);
  const entry: Entry = cache.get(shardName) ?? {
    stamp: '',
    readAtMs: Number.NEGATIVE_INFINITY,
    aggregate: null,
    reading: null,
  };
  if (entry.reading !== null) return entry.reading;
  const large = (entry.aggregate?.cells.length ?? 0) > SMALL_CELLS;
  if (large && performance.now() - entry.readAtMs < FRESH_MS) return entry.aggregate;
  entry.reading = asShared(() => read(ctx, shardName, entry))
    .then(({ stamp, aggregate }) => {
      Object.assign(entry, { stamp, aggregate, readAtMs: performance.now() });
      return aggregate;
    })
    .finally(() => {
      entry.reading = null;
      // Its size is known only now.
      cache.delete(shardName);
      cache.set(shardName, entry);
    });
  cache.set(shardName, entry);
  return entry.reading;
}

async function read(
  ctx: BrokerContext,
  shardName: string,
  before: Pick<Entry, 'stamp' | 'aggregate'> | null,
): Promise<Pick<Entry, 'stamp' | 'aggregate'>> {
  const counts = new Map<string, number>();
  let [cursor, at, stamp, consistent] = ['', 0, '', true];
  for (let part = 0; part < PARTS_MAX; part += 1) {
    const reply = replyList(
      await ctx.run('search-aggregate', shardName, [
        cursor,
        before?.aggregate ? before.stamp : '',
        CELLS_MAX + 1,
      ]),
      'search-aggregate',
    );
    if (reply[2] !== 1) return { stamp: '', aggregate: null };
    if (cursor === '') {
      at = Number(reply[0]);
      stamp = replyText(reply[1]);
    }
    consistent &&= stamp === replyText(reply[1]);
    cursor = replyText(reply[3]);
    if (cursor === 'same')
      return { stamp, aggregate: before?.aggregate ? { ...before.aggregate, at } : null };
    for (let i = 4; i + 1 < reply.length; i += 2)
      counts.set(replyText(reply[i]), Number(replyText(reply[i + 1])));
    if (cursor === '0') break;
  }
  // Most were there before: their keys need not be parsed again.
  const parsed = new Map(before?.aggregate?.cells.map((cell) => [cell.field, cell.key]));
  const cells: AggregateCell[] = [];
  for (const [field, count] of counts) {
    const key = parsed.get(field) ?? parseKey(field);
    if (key && count > 0) cells.push({ field, key, count });
  }
  return { stamp, aggregate: { at, consistent, cells } };
}

/** `<group> <type> <version> <tenant> <class> <code> <attempt>`; null: another field of the hash. */
function parseKey(field: string): AggregateKey | null {
  const [group, type, version, tenant, errorClass, code, attempts] = field.split(' ');
  if (!group || !type || !tenant || !errorClass || !code || attempts === undefined) return null;
  return {
    group,
    type,
    version: Number(version),
    tenant,
    class: errorClass,
    code,
    attempts: Number(attempts),
  };
}

/** Which cells match a filter, and which their keys leave undecided. */
export interface EvaluatedAggregate {
  readonly matching: readonly AggregateCell[];
  /** Cells of which some jobs may match and others not. */
  readonly undecided: readonly AggregateCell[];
  readonly count: number;
  /** How many more may match. 0: the count is exact. */
  readonly undecidedCount: number;
}

/** A page, its count, its facets and its groups ask the same. By cells, which are replaced when anything changes. */
const answers = new WeakMap<DeadAggregate['cells'], LRUCache<string, EvaluatedAggregate>>();
const ANSWERS_MAX = 16;

/** @param filter without conditions on the queue: an aggregate is of one shard */
export function evaluateAggregate({ cells }: DeadAggregate, filter: Filter): EvaluatedAggregate {
  const cache = answers.get(cells) ?? new LRUCache<string, EvaluatedAggregate>({ max: ANSWERS_MAX });
  answers.set(cells, cache);
  const key = filterKey(filter);
  const answer = cache.get(key) ?? evaluate(cells, filter);
  cache.set(key, answer);
  return answer;
}

function evaluate(cells: DeadAggregate['cells'], filter: Filter): EvaluatedAggregate {
  // Ages do not matter: when its jobs died, a cell does not say.
  const matcher = createMatcher(normalise(filter), 0);
  const matching: AggregateCell[] = [];
  const undecided: AggregateCell[] = [];
  let [count, undecidedCount] = [0, 0];
  for (const cell of cells) {
    const fits = matcher(cell.key);
    if (fits === null) {
      undecided.push(cell);
      undecidedCount += cell.count;
    } else if (fits) {
      matching.push(cell);
      count += cell.count;
    }
  }
  return { matching, undecided, count, undecidedCount };
}
