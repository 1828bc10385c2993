/** Where records wait to be carried into the audit log: one stream a shard of each queue, and one beside each of the other things. */

import { signInMethodSchema } from '@/lib/contract/access/access-schemas';
import { AUDIT_OBJECTS } from '@/lib/contract/audit/audit-objects';
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import { type HistoryFields, parseHistoryFields } from '../access/actor';
import { GLOBAL_KEYS, type GlobalKey } from '../redis/redis-keys';
import type { ScriptCall } from '../redis/run-pipelines';
import { replyList, replyPairs, replyText } from '../redis/script-reply';
import { readQueueNames } from '../shards/queue-registry';
import { shardRefsOf } from '../shards/shard-ref';
import type { ShardedContext } from '../shards/sharded-context';
import { shardsWithColumn } from '../shards/shards-with-jobs';

const OUTSIDE = [
  'accessAudit',
  'schedulesAudit',
  'operationsAudit',
  'groupsAudit',
  'searchesAudit',
  'labAudit',
  'workersAudit',
  'queuesAudit',
  'alertsAudit',
] as const satisfies readonly GlobalKey[];

export interface PendingStream {
  /** The queue's physical name, or what stands in the braces of the key, such as `.access`. */
  readonly source: string;
  readonly queue: string | null;
  /** Null: the queue has one shard only. */
  readonly shard: number | null;
  readonly call: Pick<ScriptCall, 'queue' | 'index'>;
}

/** The streams of all queues or some, and those outside of queues. */
export async function pendingStreams(
  ctx: ShardedContext,
  queues?: readonly string[],
): Promise<PendingStream[]> {
  const all = await shardRefsOf(ctx, queues ?? (await readQueueNames(ctx)));
  // Most queues have no record waiting, and none that was: with thousands a call to each costs too much.
  const shards = await shardsWithColumn(ctx, all, 'audit');
  const sharded = new Set(all.flatMap(({ queue, shard }) => (shard > 0 ? [queue] : [])));
  return [
    ...OUTSIDE.map((key) => ({
      source: GLOBAL_KEYS[key].name.replace(/^\{(.*)\}.*$/, '$1'),
      queue: null,
      shard: null,
      call: { queue: null, index: key },
    })),
    ...shards.map(({ queue, shard, name }) => ({
      source: name,
      queue,
      shard: sharded.has(queue) ? shard : null,
      call: { queue: name, index: 'audit' as const },
    })),
  ];
}

/** An entry before the chain gives it number and hash. */
export type EntryDraft = Omit<AuditEventView, 'n' | 'prev' | 'hash'>;

export interface PendingEvent {
  readonly id: string;
  /** How many records this stream has had, up to this one. */
  readonly count: number;
  readonly draft: EntryDraft;
  /** The user, tokens included, as the writer names them; null: no session or token. No user is charged by it. */
  readonly owner: string | null;
  /** Larger than any event that Redrive writes: it is counted and left out of the log. */
  readonly isTooLarge: boolean;
}

export function parsePendingEvent(stream: PendingStream, reply: unknown): PendingEvent {
  const [id, flat, bytes] = replyList(reply, 'audit-read');
  const fields = replyPairs(flat, 'audit-read');
  const recordId = replyText(id);
  const by = parseHistoryFields(fields.get('by') ?? '');
  return {
    id: recordId,
    count: wholeNumber(fields.get('n')) ?? 0,
    draft: draftOf(stream, recordId, fields, by),
    owner: by.ownerId ?? by.actorId ?? null,
    isTooLarge: Number(bytes) > 0,
  };
}

function draftOf(
  stream: PendingStream,
  id: string,
  fields: ReadonlyMap<string, string>,
  by: HistoryFields,
): EntryDraft {
  const queue = stream.queue ?? orNull(fields.get('queue'));
  return {
    at: timeOf(fields.get('at')) || timeOf(id.split('-', 1)[0]),
    actor: by.actor ?? 'unknown',
    actorId: by.actorId ?? null,
    method: signInMethodSchema.safeParse(by.method).data ?? null,
    via: by.via ?? null,
    address: by.address ?? null,
    action: fields.get('action') || 'unknown',
    result: fields.get('result') === 'refused' ? 'refused' : 'done',
    code: orNull(fields.get('code')),
    object: objectOf(fields.get('kind'), fields.get('id') || (queue ?? '')),
    queue,
    shard: stream.shard,
    filter: orNull(fields.get('filter')),
    reason: by.reason || null,
    before: orNull(fields.get('before')),
    after: orNull(fields.get('after')),
    count: wholeNumber(fields.get('count')),
    requestId: by.requestId ?? null,
    source: `${stream.source} ${id}`,
  };
}

/** Null: the text is missing, or no number that JSON and pages can show. */
const wholeNumber = (text: string | undefined): number | null =>
  text !== undefined && Number.isSafeInteger(Number(text)) ? Number(text) : null;

/** The last millisecond that a `Date` can hold. */
const TIME_MAX_MS = 8_640_000_000_000_000;
/** 0: the text is no time. */
function timeOf(text: string | undefined): number {
  const at = wholeNumber(text) ?? 0;
  return at > 0 && at <= TIME_MAX_MS ? at : 0;
}

const orNull = (value: string | undefined): string | null => value || null;

function objectOf(kind: string | undefined, id: string): EntryDraft['object'] {
  const known = AUDIT_OBJECTS.find((one) => one === kind);
  return known === undefined ? null : { kind: known, id };
}
