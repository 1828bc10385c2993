/**
 * The progress of an operation in one shard, written by the script that moves the jobs (lua/operations/chunk.lua) to `operations`:
 * `<status> <scanned> <moved> <skipped> <batch> <skips> <cursor>`.
 */

import { readFields, SMALL_ROWS } from '@/lib/broker/redis/bounded-reads';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { replyList, replyText } from '@/lib/broker/redis/script-reply';
import { SKIP_REASONS, type SkipReason } from '@/lib/contract/operations/operation-kinds';

export type ShardStatus = 'running' | 'done' | 'stopped';
export type SkipCounts = Partial<Record<SkipReason, number>>;

/** Counts of several shards together. */
export interface ProgressTotals {
  readonly scanned: number;
  readonly moved: number;
  readonly skipped: number;
  readonly skips: SkipCounts;
}

export interface ShardProgress {
  readonly status: ShardStatus;
  /** The last job moved or skipped, `<score>|<id>`; empty at the start. */
  readonly cursor: string;
  readonly scanned: number;
  readonly moved: number;
  readonly skipped: number;
  readonly skips: SkipCounts;
  /** Jobs ready in the shard now. */
  readonly ready: number;
  /** False: the call did nothing, because another runner was first or the operation was stopped. */
  readonly applied: boolean;
}

const UNTOUCHED: ShardProgress = {
  status: 'running',
  cursor: '',
  scanned: 0,
  moved: 0,
  skipped: 0,
  skips: {},
  ready: 0,
  applied: false,
};

/** The progress, or that of an untouched shard. */
export async function readShardProgress(
  ctx: BrokerContext,
  { name: shard }: { readonly name: string },
  id: string,
): Promise<ShardProgress> {
  const [[row = null], [outbox, ready]] = await Promise.all([
    readFields(ctx, { queue: shard, index: 'operations' }, [id], SMALL_ROWS),
    ctx.plain((redis) =>
      Promise.all([
        redis.hexists(ctx.keys.column(shard, 'operations'), transferField(id)),
        redis.zcard(ctx.keys.column(shard, 'ready')),
      ]),
    ),
  ]);
  const progress = { ...(parseProgress(row) ?? UNTOUCHED), ready };
  // A stopped shard is not done before its transfer has ended.
  return outbox === 1 ? { ...progress, status: 'running' } : progress;
}

/** The field of the transfer. */
export const transferField = (id: string): string => `${id} outbox`;
/** The field of the first skipped jobs. */
export const skippedField = (id: string): string => `${id} skipped`;

const ROW = /^(running|done|stopped) (\d+) (\d+) (\d+) (\d+) (\S+) ?(.*)$/;

function parseProgress(row: string | null): ShardProgress | null {
  const match = ROW.exec(row ?? '');
  if (!match) return null;
  const [, status, scanned, moved, skipped, , skips = '-', cursor = ''] = match;
  return {
    ...UNTOUCHED,
    status: status as ShardStatus,
    cursor,
    scanned: Number(scanned),
    moved: Number(moved),
    skipped: Number(skipped),
    skips: parseSkipCounts(skips),
  };
}

/** `<reason>=<n>,…`, or `-` for none. */
export function parseSkipCounts(text: string): SkipCounts {
  const skips: SkipCounts = {};
  for (const part of text.split(',')) {
    const [word, n] = part.split('=');
    const reason = SKIP_REASONS.find((known) => known === word);
    if (reason) skips[reason] = Number(n);
  }
  return skips;
}

/** The reply of a script that moves a chunk; see lua/operations/chunk.lua. */
export function parseChunkReply(
  reply: unknown,
  script: string,
): { progress: ShardProgress; taken: number; onTheWay: boolean } {
  const [applied, status, scanned, moved, skipped, skips, cursor, ready, taken, onTheWay] = replyList(
    reply,
    script,
  );
  const word = replyText(status);
  if (word !== 'running' && word !== 'done' && word !== 'stopped')
    throw new Error(`${script}: unknown status ${word}`);
  return {
    progress: {
      status: word,
      cursor: replyText(cursor),
      scanned: Number(scanned),
      moved: Number(moved),
      skipped: Number(skipped),
      skips: parseSkipCounts(replyText(skips)),
      ready: Number(ready),
      applied: applied === 1,
    },
    taken: Number(taken),
    onTheWay: onTheWay === 1,
  };
}

const CALLS_MAX = 100;

/** Deletes the rows of an operation in a shard. Jobs it re-drove run on, uncounted. */
export async function forgetShard(
  ctx: BrokerContext,
  { name }: { readonly name: string },
  id: string,
): Promise<void> {
  let cursor = '0';
  for (let calls = 0; calls < CALLS_MAX; calls++) {
    cursor = replyText(await ctx.run('operation-forget', name, [id, cursor]));
    if (cursor === '0') return;
  }
}
