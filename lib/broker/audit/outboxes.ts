/** Where records wait to be carried into the audit log: one outbox a shard of each queue, and one beside each of the other things. */

import { wayInSchema } from '@/lib/contract/access';
import { AUDIT_OBJECTS, type AuditEntry } from '@/lib/contract/audit';
import { queueNames } from '../inspect/registry';
import { GLOBAL_KEYS, type GlobalKey } from '../keys';
import { type Note, readNote } from '../note';
import { list, pairs, text } from '../reply';
import type { ScriptCall } from '../script';
import { placesWith } from '../search/holding';
import { placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';

/** Scripts outside of queues touch no queue, but every script call names one. */
const NO_QUEUE = 'none';
const OUTSIDE = [
  'accessAudit',
  'schedulesAudit',
  'operationsAudit',
  'groupsAudit',
  'searchesAudit',
  'labAudit',
  'queuesAudit',
] as const satisfies readonly GlobalKey[];

export interface Outbox {
  /** The queue's physical name, or what stands in the braces of the key, such as `.access`. */
  readonly place: string;
  readonly queue: string | null;
  /** Null: the queue has one shard only. */
  readonly shard: number | null;
  readonly call: Pick<ScriptCall, 'queue' | 'index'>;
}

/** All of them, or those of some queues with those that are no queue's. */
export async function outboxes(ctx: ShardedContext, queues?: readonly string[]): Promise<Outbox[]> {
  const all = await placesOf(ctx, queues ?? (await queueNames(ctx)));
  // Most queues have no record waiting, and none that was: with thousands a call to each costs too much.
  const places = await placesWith(ctx, all, 'audit');
  const sharded = new Set(all.flatMap(({ queue, shard }) => (shard > 0 ? [queue] : [])));
  return [
    ...OUTSIDE.map((key) => ({
      place: GLOBAL_KEYS[key].name.replace(/^\{(.*)\}.*$/, '$1'),
      queue: null,
      shard: null,
      call: { queue: NO_QUEUE, index: key },
    })),
    ...places.map(({ queue, shard, name }) => ({
      place: name,
      queue,
      shard: sharded.has(queue) ? shard : null,
      call: { queue: name, index: 'audit' as const },
    })),
  ];
}

/** What of an entry its record says; its place in the chain comes with the chain. */
export type Draft = Omit<AuditEntry, 'n' | 'prev' | 'hash'>;

export interface WaitingRecord {
  readonly id: string;
  /** How many records this outbox has had, up to this one. */
  readonly count: number;
  readonly draft: Draft;
  /** The user whose share it takes, with all their tokens; null: came by no session or token. */
  readonly owner: string | null;
}

export function readRecord(outbox: Outbox, reply: unknown): WaitingRecord {
  const [id, flat] = list(reply, 'audit-read');
  const fields = pairs(flat, 'audit-read');
  const recordId = text(id);
  const by = readNote(fields.get('by') ?? '');
  return {
    id: recordId,
    count: Number(fields.get('n')) || 0,
    draft: draftOf(outbox, recordId, fields, by),
    owner: by.ownerId ?? by.actorId ?? null,
  };
}

function draftOf(outbox: Outbox, id: string, fields: ReadonlyMap<string, string>, by: Note): Draft {
  const queue = outbox.queue ?? orNull(fields.get('queue'));
  const count = fields.get('count');
  return {
    at: Number(fields.get('at')) || Number(id.split('-', 1)[0]),
    actor: by.actor ?? 'unknown',
    actorId: by.actorId ?? null,
    way: wayInSchema.safeParse(by.way).data ?? null,
    via: by.via ?? null,
    address: by.address ?? null,
    action: fields.get('action') || 'unknown',
    result: fields.get('result') === 'refused' ? 'refused' : 'done',
    code: orNull(fields.get('code')),
    object: objectOf(fields.get('kind'), fields.get('id') || (queue ?? '')),
    queue,
    shard: outbox.shard,
    filter: orNull(fields.get('filter')),
    reason: by.reason || null,
    before: orNull(fields.get('before')),
    after: orNull(fields.get('after')),
    count: count === undefined || !Number.isFinite(Number(count)) ? null : Number(count),
    requestId: by.requestId ?? null,
    source: `${outbox.place} ${id}`,
  };
}

const orNull = (value: string | undefined): string | null => value || null;

function objectOf(kind: string | undefined, id: string): Draft['object'] {
  const known = AUDIT_OBJECTS.find((one) => one === kind);
  return known === undefined ? null : { kind: known, id };
}
