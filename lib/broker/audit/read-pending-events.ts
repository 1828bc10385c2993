/** Reads pending audit events from the streams in which they wait. */
import { evalMany } from '../redis/run-pipelines';
import { replyList } from '../redis/script-reply';
import type { ShardedContext } from '../shards/sharded-context';
import { FOLDED_EVENTS_MAX, isFoldable } from './intake/fold-enqueues';
import type { CollectedUpTo } from './log-head';
import { type PendingEvent, type PendingStream, parsePendingEvent } from './pending-events';

const RECORDS_EACH = 50;
const READ_ON_RECORDS = 200;

/** Did not answer: read again next time. */
export interface UnreadStream {
  readonly source: string;
  readonly error: unknown;
}

export interface PendingEvents {
  readonly stream: PendingStream;
  readonly records: readonly PendingEvent[];
  /** How many wait, these included. */
  readonly all: number;
}

/** The oldest of each. A stream that does not answer is named. */
export async function readPendingEvents(
  ctx: ShardedContext,
  some: readonly PendingStream[],
  taken: ReadonlyMap<string, CollectedUpTo>,
  forget: boolean,
): Promise<{ read: PendingEvents[]; unread: UnreadStream[] }> {
  const settled = await evalMany(
    ctx,
    some.map(({ source, call }) => ({
      script: 'audit-read',
      ...call,
      args: [taken.get(source)?.id ?? '', RECORDS_EACH, forget ? 1 : 0],
    })),
  );
  const read: PendingEvents[] = [];
  const unread: UnreadStream[] = [];
  some.forEach((stream, i) => {
    const one = settled[i];
    if (one?.status !== 'fulfilled') {
      unread.push({ source: stream.source, error: one?.reason });
      return;
    }
    const [records, all] = replyList(one.value, 'audit-read');
    read.push({
      stream,
      records: replyList(records, 'audit-read').map((record) => parsePendingEvent(stream, record)),
      all: Number(all),
    });
  });
  return { read, unread };
}

/** What was read of a stream; and while it is only what becomes one entry, what stands behind that, too. */
export async function* withEventsBehind(
  ctx: ShardedContext,
  { stream, records, all }: PendingEvents,
): AsyncGenerator<PendingEvent> {
  yield* records;
  let [chunk, read] = [records, records.length];
  while (read < Math.min(all, FOLDED_EVENTS_MAX) && chunk.every(isFoldable)) {
    const after = chunk.at(-1)?.id ?? '';
    const reply = await ctx.run('audit-read', stream.call.queue, [after, READ_ON_RECORDS, 0], {
      index: stream.call.index,
    });
    const [next] = replyList(reply, 'audit-read');
    chunk = replyList(next, 'audit-read').map((record) => parsePendingEvent(stream, record));
    if (chunk.length === 0) return;
    read += chunk.length;
    yield* chunk;
  }
}
