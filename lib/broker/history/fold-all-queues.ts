/**
 * The history of all queues together, kept by the console that comes first: one row a minute, summed over the rows of the queues. Two
 * consoles sum the same rows, and Redis refuses a minute that it has. With it go the live workers of each queue.
 */
import { LIVE_STATUSES } from '@/lib/contract/workers/worker-limits';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { areSmall } from '../redis/bounded-reads';
import { runPipelines } from '../redis/run-pipelines';
import { serverNow } from '../redis/server-info';
import { shardRefsOf } from '../shards/shard-ref';
import type { ShardedContext } from '../shards/sharded-context';
import { listWorkers } from '../workers/worker-registry';
import { agedBy, sumRows } from './merge-rows';
import { blockRowsOf, HISTORY_MAX_BYTES, rowsOf, type StreamEntry, type TimedRow } from './minute-blocks';
import { emptyRow, encodeRow, type HistoryRow } from './row-codec';
import { addWorkerCounts } from './worker-counts';

const MINUTE_MS = 60_000;
/** Until then maintenance has made the rows of the queues. */
const AFTER_MS = 15_000;
/** Minutes made up for in one call, and in all: while no console ran. Earlier ones stay a gap. */
const MINUTES_PER_CALL = 5;
const MINUTES_BACK = 60;
const SHARDS_PER_TURN = 500;

/** @returns minutes added */
export async function foldAllQueues(ctx: ShardedContext, queues: readonly string[]): Promise<number> {
  const now = await serverNow(ctx);
  const last = Math.floor((now - AFTER_MS) / MINUTE_MS) - 1;
  const key = ctx.keys.global('historyMinuteRows');
  const [newest] = await ctx.plain((redis) => redis.xrevrange(key, '+', '-', 'COUNT', 1));
  const [block] = newest
    ? []
    : await ctx.plain((redis) =>
        redis.xrevrange(ctx.keys.global('historyMinuteBlocks'), '+', '-', 'COUNT', 1),
      );
  // A block ends with the last of its ten minutes.
  const known = newest
    ? Number.parseInt(newest[0], 10)
    : block
      ? Number.parseInt(block[0], 10) + 9
      : last - 1;
  const first = Math.max(known + 1, last - MINUTES_BACK + 1);
  const upto = Math.min(last, first + MINUTES_PER_CALL - 1);
  if (first > upto) return 0;
  const names = (await shardRefsOf(ctx, queues)).map(({ name }) => name);
  for (let minute = first; minute <= upto; minute++) {
    const row = await sumMinute(ctx, names, minute);
    const live = minute === last ? await liveWorkers(ctx) : null;
    row.workers = live?.length ?? null;
    await ctx.run('history-add', null, [minute, encodeRow(row)]);
    if (live) await addWorkerCounts(ctx, queues, live, minute);
  }
  return upto - first + 1;
}

async function liveWorkers(ctx: ShardedContext): Promise<Worker[]> {
  const { workers } = await listWorkers(ctx);
  return workers.filter(({ status }) => LIVE_STATUSES.has(status));
}

/** Without shards with more rows than Redrive writes: a producer’s Redis user can add rows. */
async function withSmallHistory(ctx: ShardedContext, names: readonly string[]): Promise<string[]> {
  const sizes = await Promise.all(
    (['minuteRows', 'minuteBlocks'] as const).map((column) =>
      areSmall(
        ctx,
        names.map((name) => ctx.keys.column(name, column)),
        HISTORY_MAX_BYTES,
      ),
    ),
  );
  return names.filter((_, i) => sizes.every((small) => small[i]));
}

async function sumMinute(ctx: ShardedContext, names: readonly string[], minute: number): Promise<HistoryRow> {
  const rows: HistoryRow[] = [];
  for (let i = 0; i < names.length; i += SHARDS_PER_TURN) {
    const part = await withSmallHistory(ctx, names.slice(i, i + SHARDS_PER_TURN));
    const newest = async (column: 'minuteRows' | 'minuteBlocks') => {
      const keys = part.map((name) => ctx.keys.column(name, column));
      return runPipelines(ctx, keys, (pipeline, key) => {
        pipeline.xrevrangeBuffer(key, String(minute), '-', 'COUNT', 1);
      });
    };
    const [open, blocks] = [await newest('minuteRows'), await newest('minuteBlocks')];
    for (const [at] of part.entries()) {
      const found = [...blockRowsOf(entriesOf(blocks[at])), ...rowsOf(entriesOf(open[at]))];
      const row = found.findLast((one) => one.minute <= minute);
      if (row) rows.push(asOf(row, minute));
    }
  }
  // A queue whose depths are not known must not hide those of all others.
  const withDepths = rows.filter(({ depths }) => depths !== null);
  const sum = sumRows(rows);
  return sum ? { ...sum, depths: sumRows(withDepths)?.depths ?? null } : noJobs();
}

const noJobs = (): HistoryRow =>
  emptyRow({ ready: 0, inFlight: 0, scheduled: 0, retry: 0, held: 0, dead: 0 });

const entriesOf = (reply: unknown): StreamEntry[] => (Array.isArray(reply) ? (reply as StreamEntry[]) : []);

/** A queue without a row for this minute is as it was: with the same depths, and nothing happened. */
function asOf(row: TimedRow, minute: number): HistoryRow {
  if (row.minute === minute) return row;
  return { ...emptyRow(row.depths), oldestAgeMs: agedBy(row, (minute - row.minute) * MINUTE_MS) };
}
