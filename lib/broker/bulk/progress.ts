/**
 * How far an operation is in one place (a shard of a queue). The row lives in the place, field `<operation>` of `operations`:
 * `<status> <scanned> <moved> <skipped> <batch> <skips> <cursor>`, and is written by the very script that moves the jobs, so it
 * is right whoever died. See lua/include/chunk.lua for the same format from the other side.
 */
import { SKIP_REASONS, type SkipReason } from '@/lib/contract/operations';
import type { BrokerContext } from '../context';
import { list, text } from '../reply';

export type PlaceStatus = 'running' | 'done' | 'stopped';
export type Skips = Partial<Record<SkipReason, number>>;

export interface Progress {
  readonly status: PlaceStatus;
  /** Everything up to here was dealt with: `<score>|<id>` in the order of the walk; empty at the start. */
  readonly cursor: string;
  readonly scanned: number;
  readonly moved: number;
  readonly skipped: number;
  readonly skips: Skips;
  /** How many jobs of the place are ready now. */
  readonly ready: number;
  /** False: nothing was done, because another runner was first, or it was stopped. The rest is how it stands. */
  readonly applied: boolean;
}

const UNTOUCHED: Progress = {
  status: 'running',
  cursor: '',
  scanned: 0,
  moved: 0,
  skipped: 0,
  skips: {},
  ready: 0,
  applied: false,
};

/** How far it is. A place it has not come to yet stands at the beginning. */
export async function readProgress(
  ctx: BrokerContext,
  { name: place }: { readonly name: string },
  id: string,
): Promise<Progress> {
  const [row, outbox, ready] = await ctx.plain((redis) =>
    Promise.all([
      redis.hget(ctx.keys.column(place, 'operations'), id),
      redis.hexists(ctx.keys.column(place, 'operations'), outboxField(id)),
      redis.zcard(ctx.keys.column(place, 'ready')),
    ]),
  );
  const progress = { ...(parseProgress(row) ?? UNTOUCHED), ready };
  // Jobs on their way to another queue must arrive, or come back: it is not over, even when it was stopped.
  return outbox === 1 ? { ...progress, status: 'running' } : progress;
}

/** Where jobs are while they are on their way to another queue. */
export const outboxField = (id: string): string => `${id} outbox`;
/** Which jobs were left alone, as far as they are named. */
export const skippedField = (id: string): string => `${id} skipped`;

const ROW = /^(running|done|stopped) (\d+) (\d+) (\d+) (\d+) (\S+) ?(.*)$/;

function parseProgress(row: string | null): Progress | null {
  const match = ROW.exec(row ?? '');
  if (!match) return null;
  const [, status, scanned, moved, skipped, , skips = '-', cursor = ''] = match;
  return {
    ...UNTOUCHED,
    status: status as PlaceStatus,
    cursor,
    scanned: Number(scanned),
    moved: Number(moved),
    skipped: Number(skipped),
    skips: parseSkips(skips),
  };
}

/** `<reason>=<n>,…`, or `-` for none. */
export function parseSkips(text: string): Skips {
  const skips: Skips = {};
  for (const part of text.split(',')) {
    const [word, n] = part.split('=');
    const reason = SKIP_REASONS.find((known) => known === word);
    if (reason) skips[reason] = Number(n);
  }
  return skips;
}

/** The reply of a script that moves a chunk; see lua/include/chunk.lua. */
export function chunkReply(
  reply: unknown,
  script: string,
): { progress: Progress; taken: number; onTheWay: boolean } {
  const [applied, status, scanned, moved, skipped, skips, cursor, ready, taken, onTheWay] = list(
    reply,
    script,
  );
  const word = text(status);
  if (word !== 'running' && word !== 'done' && word !== 'stopped')
    throw new Error(`${script}: unknown status ${word}`);
  return {
    progress: {
      status: word,
      cursor: text(cursor),
      scanned: Number(scanned),
      moved: Number(moved),
      skipped: Number(skipped),
      skips: parseSkips(text(skips)),
      ready: Number(ready),
      applied: applied === 1,
    },
    taken: Number(taken),
    onTheWay: onTheWay === 1,
  };
}
