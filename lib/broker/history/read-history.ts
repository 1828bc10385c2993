/** Reads the past of queues: what lib/broker/lua/history wrote, as the columns of a chart. */
import {
  COUNTS,
  DEPTHS,
  MINUTES_KEPT_MS,
  PERCENTILES,
  POINTS_MAX,
} from '@/lib/contract/history/history-ranges';
import type { StoredHistory } from '@/lib/contract/history/history-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';
import { percentileMs } from '../queues/percentile';
import { areSmall, readFields, SMALL_ROWS } from '../redis/bounded-reads';
import type { BrokerContext } from '../redis/broker-context';
import type { Column, GlobalKey } from '../redis/redis-keys';
import { serverNow } from '../redis/server-info';
import { forEachLimited } from '../shards/fan-out';
import { shardRefsOf } from '../shards/shard-ref';
import type { ShardedContext } from '../shards/sharded-context';
import { mergeRows, type RowSource, type Steps } from './merge-rows';
import {
  blockRowsOf,
  HISTORY_MAX_BYTES,
  rowsOf,
  type Share,
  type StreamEntry,
  sharesOf,
} from './minute-blocks';
import type { HistoryRow } from './row-codec';
import { readWorkerCounts } from './worker-counts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SHARDS_AT_ONCE = 16;
/** The names of the busiest stand in one of so many blocks: see lib/broker/lua/history/busiest.lua. */
const BLOCKS_TO_NAMES = 12;
const SHARES = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

/** Ms since 1970. */
export interface HistoryRange {
  readonly from: number;
  readonly to: number;
}
/** Only this type's or tenant's work. */
export type OnlyOf = Pick<Share, 'kind' | 'name'>;

/** The streams of one shard, or of all queues. */
interface StreamKeys {
  readonly rows: string;
  readonly blocks: string;
  readonly hours: string;
}
interface Streams extends RowSource {
  readonly blocks: readonly StreamEntry[];
  /** The last minute that is in the history. */
  readonly folded: number;
}

/** @param queues null: the record of all queues together, which a console keeps */
export async function readHistory(
  ctx: ShardedContext,
  queues: readonly string[] | null,
  range: HistoryRange,
  only?: OnlyOf,
): Promise<StoredHistory> {
  const now = await serverNow(ctx);
  const sources: Streams[] = [];
  if (queues === null) {
    sources.push(await readAllQueues(ctx, range));
  } else {
    const failures: unknown[] = [];
    await forEachLimited(await shardRefsOf(ctx, queues), SHARDS_AT_ONCE, async ({ name }) => {
      await readShard(ctx, name, range, now).then(
        (source) => sources.push(source),
        (error: unknown) => failures.push(error),
      );
    });
    if (failures.length > 0) throw failures[0];
  }
  const folded = Math.min(Math.floor(now / MINUTE_MS) - 1, ...sources.map((source) => source.folded));
  const steps = stepsOf(range, now, folded, only !== undefined);
  if (only) return ofShares(sources, steps, only);
  const points = mergeRows(sources, steps);
  const history = { ...columnsOf(points, steps), busiest: busiestOf(sources, steps) };
  const [queue, ...others] = queues ?? [];
  // Of several queues the numbers do not add up: a worker may serve more than one.
  if (queue === undefined || others.length > 0) return history;
  return { ...history, workers: await readWorkerCounts(ctx, queue, steps) };
}

const hourOf = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS;

/** Whole steps that end with the last whole minute at the latest. */
function stepsOf({ from, to }: HistoryRange, now: number, folded: number, byTen: boolean): Steps {
  const minutes = Math.ceil((to - from) / MINUTE_MS);
  // Rows of minutes become rows of ten by the whole hour.
  const least = byTen || from < hourOf(now - MINUTES_KEPT_MS) ? 10 : 1;
  const step = [1, 2, 5, 10, 20, 30].find((size) => size >= least && minutes / size < POINTS_MAX) ?? 30;
  const start = Math.floor(from / MINUTE_MS / step) * step;
  const end = Math.min(Math.ceil(to / MINUTE_MS), folded + 1);
  return { from: start, to: Math.max(start, Math.floor(end / step) * step), step };
}

const globalKeys = (ctx: BrokerContext): StreamKeys => {
  const key = (name: GlobalKey) => ctx.keys.global(name);
  return {
    rows: key('historyMinuteRows'),
    blocks: key('historyMinuteBlocks'),
    hours: key('historyTenMinuteRows'),
  };
};
const shardKeys = (ctx: BrokerContext, name: string): StreamKeys => {
  const key = (column: Column) => ctx.keys.column(name, column);
  return { rows: key('minuteRows'), blocks: key('minuteBlocks'), hours: key('tenMinuteRows') };
};

async function readAllQueues(ctx: BrokerContext, range: HistoryRange): Promise<Streams> {
  const { rows, blocks } = await readStreams(ctx, globalKeys(ctx), range, false);
  return { rows, blocks, skipsQuiet: false, folded: rows.at(-1)?.minute ?? 0 };
}

async function readShard(
  ctx: BrokerContext,
  name: string,
  range: HistoryRange,
  now: number,
): Promise<Streams> {
  const keys = shardKeys(ctx, name);
  const small = await areSmall(ctx, [keys.rows, keys.blocks, keys.hours], HISTORY_MAX_BYTES);
  if (small.includes(false))
    throw new RedriveError(
      'REDIS_UNAVAILABLE',
      `The history of ${name} cannot be read: it has more than 32 MB, which Redrive never writes. Find out which Redis user did, and delete it.`,
    );
  const [{ rows, blocks }, [fold = null]] = await Promise.all([
    readStreams(ctx, keys, range, true),
    readFields(ctx, { queue: name, index: 'limits' }, ['fold'], SMALL_ROWS),
  ]);
  const [minute, , isQuiet] = (fold ?? '').split(' ');
  const last = Math.floor(now / MINUTE_MS) - 1;
  // Of a quiet queue no row is missing, up to the minute that may have ended its rest.
  return { rows, blocks, skipsQuiet: true, folded: isQuiet === '1' || fold === null ? last : Number(minute) };
}

/** @param before also the newest rows before the range: they tell how it began, and the names of the busiest */
async function readStreams(
  ctx: BrokerContext,
  keys: StreamKeys,
  { from, to }: HistoryRange,
  before: boolean,
): Promise<Pick<Streams, 'rows' | 'blocks'>> {
  const last = Math.floor(to / MINUTE_MS);
  const read = async (key: string, span: number, earlierCount = 1): Promise<StreamEntry[]> => {
    const first = Math.floor(from / MINUTE_MS / span) * span;
    const range = await ctx.plain((redis) => redis.xrangeBuffer(key, String(first), String(last)));
    // No id is less than 0, and Redis refuses to read one.
    if (!before || first <= 0) return range as unknown as StreamEntry[];
    const earlier = await ctx.plain((redis) =>
      redis.xrevrangeBuffer(key, String(first - 1), '-', 'COUNT', earlierCount),
    );
    return [...earlier.reverse(), ...range] as unknown as StreamEntry[];
  };
  const [hours, blocks, open] = await Promise.all([
    read(keys.hours, 60),
    read(keys.blocks, 10, BLOCKS_TO_NAMES),
    read(keys.rows, 1),
  ]);
  // A row of ten minutes stands for the last of them: its depths are of their end.
  const older = blockRowsOf(hours).map((row) => ({ ...row, minute: row.minute + 9 }));
  const rows = [...older, ...blockRowsOf(blocks), ...rowsOf(open)];
  return { rows: rows.sort((a, b) => a.minute - b.minute), blocks };
}

const table = <K extends string, T>(names: readonly K[], value: (name: K) => T) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<K, T>;

function columnsOf(points: readonly (HistoryRow | null)[], steps: Steps): Omit<StoredHistory, 'busiest'> {
  const column = (value: (row: HistoryRow) => number | null) =>
    points.map((row) => {
      const number = row ? value(row) : null;
      return number === null ? null : Math.round(number);
    });
  return {
    from: steps.from * MINUTE_MS,
    to: steps.to * MINUTE_MS,
    stepMs: steps.step * MINUTE_MS,
    depth: table(DEPTHS, (name) => column(({ depths }) => depths?.[name] ?? null)),
    oldestAgeMs: column(({ depths, oldestAgeMs }) => (depths ? oldestAgeMs : null)),
    counts: table(COUNTS, (name) => column(({ counts }) => counts[name])),
    run: table(PERCENTILES, (name) => column(({ run, runSpan }) => percentileMs(run, SHARES[name], runSpan))),
    wait: table(PERCENTILES, (name) => column(({ wait }) => percentileMs(wait, SHARES[name]))),
    workers: column(({ workers }) => workers),
    claimed: points.map(() => null),
  };
}

const nameOf = ({ kind, name }: OnlyOf) => `${kind} ${name}`;

/** Most work first. */
function busiestOf(sources: readonly Streams[], steps: Steps): Share[] {
  const sums = new Map<string, { -readonly [K in keyof Share]: Share[K] }>();
  for (const { shares } of inSteps(sources, steps))
    for (const share of shares) {
      const sum = sums.get(nameOf(share)) ?? { ...share, claimed: 0, failed: 0, died: 0 };
      sum.claimed += share.claimed;
      sum.failed += share.failed;
      sum.died += share.died;
      sums.set(nameOf(share), sum);
    }
  return [...sums.values()].sort((a, b) => b.claimed + b.failed + b.died - (a.claimed + a.failed + a.died));
}

const inSteps = (sources: readonly Streams[], { from, to }: Steps) =>
  sources.flatMap(({ blocks }) => sharesOf(blocks)).filter(({ minute }) => minute >= from && minute < to);

/** A type or tenant that was not among the busiest of some ten minutes has a gap there. */
function ofShares(sources: readonly Streams[], steps: Steps, only: OnlyOf): StoredHistory {
  const wanted = inSteps(sources, steps).flatMap(({ minute, shares }) => {
    const share = shares.find((one) => nameOf(one) === nameOf(only));
    return share ? [{ minute, share }] : [];
  });
  const sums: ({ claimed: number; failed: number; died: number } | null)[] = [];
  for (let start = steps.from; start < steps.to; start += steps.step) {
    const parts = wanted.filter(({ minute }) => minute >= start && minute < start + steps.step);
    const sum = (key: 'claimed' | 'failed' | 'died') => parts.reduce((n, { share }) => n + share[key], 0);
    sums.push(
      parts.length > 0 ? { claimed: sum('claimed'), failed: sum('failed'), died: sum('died') } : null,
    );
  }
  const columns = columnsOf(
    sums.map(() => null),
    steps,
  );
  return {
    ...columns,
    claimed: sums.map((sum) => sum?.claimed ?? null),
    counts: {
      ...columns.counts,
      failed: sums.map((sum) => sum?.failed ?? null),
      died: sums.map((sum) => sum?.died ?? null),
    },
    busiest: busiestOf(sources, steps),
  };
}
