/** The records of operations, kept outside the queues. Written by compare-and-set, so that runners cannot undo each other. */
import { RedriveError } from '@/lib/contract/errors';
import { isOpen } from '@/lib/contract/operations';
import { type OperationRecord, operationRecordSchema } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import type { Actor } from '../note';
import { type Arg, evalScript, scriptKeys } from '../script';
import { placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { limitReached, shareArg, shareArgs, shareRefusal } from '../shares';
import { type Deed, deedArgs } from './deed';
import { specOf } from './spec';
import { forgetPlace, stopPlace } from './stop';

export const OPERATIONS_KEPT = 500;
const UPDATE_TRIES = 20;
const OPEN_FIELD = '.open';
const jobsField = (id: string) => `${id} jobs`;

interface Stored {
  record: OperationRecord;
  /** The very text that is stored: what a write compares with. */
  text: string;
}

export async function findRecord(ctx: BrokerContext, id: string): Promise<OperationRecord | null> {
  return (await read(ctx, id))?.record ?? null;
}

/** @throws RedriveError OPERATION_NOT_FOUND */
export async function loadRecord(ctx: BrokerContext, id: string): Promise<OperationRecord> {
  return (await mustRead(ctx, id)).record;
}

/**
 * Enters a new operation, with the jobs it is about when these were fixed one by one. False when its id exists: another sending
 * of the same request was first.
 * @throws RedriveError LIMIT_REACHED
 */
export async function createRecord(
  ctx: ShardedContext,
  record: OperationRecord,
  jobs: string = '',
  deed?: Deed,
): Promise<boolean> {
  const reply = await write(ctx, record, '', jobs, deed);
  const refused = shareRefusal(reply);
  if (refused) {
    const key = ctx.keys.global('operationsShares');
    throw await limitReached(ctx, key, refused, deed?.by, refused.ceiling);
  }
  const saved = Number(reply);
  // It is entered, whatever becomes of the old ones.
  if (saved === 1) await forgetOldest(ctx).catch(() => undefined);
  return saved === 1;
}

/** Changes a record; `change` returns null to leave it. Starts over when someone else was faster. */
export async function updateRecord(
  ctx: BrokerContext,
  id: string,
  change: (record: OperationRecord) => OperationRecord | null,
  /** What the audit log has of it, when somebody asked for it. */
  deedOf?: (before: OperationRecord, after: OperationRecord) => Deed,
): Promise<OperationRecord> {
  for (let tries = 0; tries < UPDATE_TRIES; tries++) {
    const { record, text } = await mustRead(ctx, id);
    const next = change(record);
    if (next === null || Number(await write(ctx, next, text, '', deedOf?.(record, next))) === 1)
      return next ?? record;
  }
  throw new RedriveError(
    'UNKNOWN_OUTCOME',
    `The record of operation ${id} is being changed by others all the time. Try again.`,
  );
}

/** The jobs a listed operation is about, as `createRecord` got them; null when they are gone. */
export const loadJobs = (ctx: BrokerContext, id: string): Promise<string | null> =>
  ctx.plain((redis) => redis.hget(ctx.keys.global('operationsRecords'), jobsField(id)));

/** The ids of all that have not ended, oldest first. */
export async function openIds(ctx: BrokerContext): Promise<string[]> {
  const text = await ctx.plain((redis) => redis.hget(ctx.keys.global('operationsRecords'), OPEN_FIELD));
  return text ? text.split(' ').filter(Boolean) : [];
}

/** The records of some ids, in their order; what is gone or unreadable is left out. */
export async function recordsOf(ctx: BrokerContext, ids: readonly string[]): Promise<OperationRecord[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.plain((redis) => redis.hmget(ctx.keys.global('operationsRecords'), ...ids));
  return rows.flatMap((row) => parse(row)?.record ?? []);
}

/** Operations, latest first. The cursor is the id of the last one seen. @throws RedriveError BAD_CURSOR */
export async function listRecords(
  ctx: BrokerContext,
  limit: number,
  cursor?: string,
): Promise<{ records: OperationRecord[]; nextCursor: string | null }> {
  const index = ctx.keys.global('operationsIndex');
  const ids = await ctx.plain(async (redis) => {
    const rank = cursor === undefined ? -1 : await redis.zrevrank(index, cursor);
    if (rank === null)
      throw new RedriveError(
        'BAD_CURSOR',
        'The cursor names an operation that is no longer kept. Leave it out to start anew.',
        {
          fields: [{ field: 'cursor', message: 'names no operation' }],
        },
      );
    return redis.zrevrange(index, rank + 1, rank + limit);
  });
  return {
    records: await recordsOf(ctx, ids),
    nextCursor: ids.length === limit ? (ids.at(-1) ?? null) : null,
  };
}

/** An unreadable record is none: it must not take the list of all others with it. */
function parse(text: string | null): Stored | null {
  if (text === null) return null;
  try {
    const parsed = operationRecordSchema.safeParse(JSON.parse(text));
    return parsed.success ? { record: parsed.data, text } : null;
  } catch {
    return null;
  }
}

/** Ids are ours; what cannot be one (the field of the open ones, the jobs of another) names none. */
const looksLikeId = (id: string): boolean => /^op-[0-9A-Zr]{20}$/.test(id);

async function read(ctx: BrokerContext, id: string): Promise<Stored | null> {
  if (!looksLikeId(id)) return null;
  return parse(await ctx.plain((redis) => redis.hget(ctx.keys.global('operationsRecords'), id)));
}

async function mustRead(ctx: BrokerContext, id: string): Promise<Stored> {
  const stored = await read(ctx, id);
  if (stored) return stored;
  throw new RedriveError(
    'OPERATION_NOT_FOUND',
    `There is no operation ${id.slice(0, 60)}. The latest ${OPERATIONS_KEPT} are kept.`,
    {
      fields: [{ field: 'id', message: 'names no operation' }],
    },
  );
}

async function write(
  ctx: BrokerContext,
  record: OperationRecord,
  before: string,
  jobs: string,
  deed?: Deed,
): Promise<unknown> {
  const open = isOpen(record.status) ? 1 : 0;
  const text = JSON.stringify(record);
  const clock = ctx.clock ? String(ctx.clock()) : '';
  const shares = before === '' ? sharesOf(record, deed?.by) : '';
  const args: Arg[] = [clock, record.id, record.createdAt, before, text, open, jobs, shares];
  if (deed) args.push(...deedArgs(record, deed));
  const keys = scriptKeys(ctx.keys, 'operation-save', 'none');
  return ctx.plain((redis) => evalScript(redis, 'operation-save', keys, args, false));
}

/** An export stays open until somebody fetches its file, so it has a ceiling of its own besides. */
const sharesOf = ({ kind }: OperationRecord, by: Actor | undefined): string => {
  const own = kind === 'export' ? [shareArg('exports', by)] : [];
  return shareArgs(shareArg('operations', by), ...own);
};

/** Drops the oldest beyond those kept, never one that is open: its progress in every queue first, so that none is left over. */
async function forgetOldest(ctx: ShardedContext): Promise<void> {
  const index = ctx.keys.global('operationsIndex');
  const old = await ctx.plain((redis) => redis.zrevrange(index, OPERATIONS_KEPT, OPERATIONS_KEPT + 20));
  for (const id of old) {
    const record = await findRecord(ctx, id);
    if (record && isOpen(record.status)) continue;
    // One of which a place is out of reach is the next one's to try.
    const forgotten = await forgetPlaces(ctx, id, record).then(
      () => true,
      () => false,
    );
    if (!forgotten) continue;
    await ctx.plain(async (redis) => {
      await redis.zrem(index, id);
      await redis.hdel(ctx.keys.global('operationsRecords'), id, jobsField(id));
    });
  }
}

async function forgetPlaces(ctx: ShardedContext, id: string, record: OperationRecord | null): Promise<void> {
  if (!record) return;
  // It may have failed with jobs on their way: with its outbox they would be gone. And what it sent left its mark there, too.
  if (record.target) for (const place of record.places) await stopPlace(ctx, place, specOf(record));
  const sentTo = record.target ? await placesOf(ctx, [record.target]) : [];
  for (const place of [...record.places, ...sentTo]) await forgetPlace(ctx, place, id);
}
