/**
 * Reads of keys that a producer's or worker's Redis user can write without Redrive: of any number of fields, and values of any size. What
 * is larger than Redrive writes stays in Redis.
 */
import type { BrokerContext } from './broker-context';
import type { Column, GlobalKey } from './redis-keys';
import { replyList, replyPairs, replyText } from './script-reply';

/** A column of a queue or its shard, or a key outside queues. */
export type ReadKey =
  | { readonly queue: string; readonly index: Column }
  | { readonly queue: null; readonly index: GlobalKey };

export interface FieldBounds {
  /** Bytes of one value; a larger one is null. */
  readonly eachBytes: number;
  /** Bytes of all values of one call; those that do not fit are null. */
  readonly allBytes: number;
}
const FIELDS_A_CALL = 500;

/** Values of fields, in order. Null: the field is missing, or its value too large. */
export async function readFields(
  ctx: BrokerContext,
  { queue, index }: ReadKey,
  fields: readonly string[],
  { eachBytes, allBytes }: FieldBounds,
): Promise<(string | null)[]> {
  const values: (string | null)[] = [];
  for (let i = 0; i < fields.length; i += FIELDS_A_CALL) {
    const part = fields.slice(i, i + FIELDS_A_CALL);
    const reply = await ctx.run('fields-read', queue, [eachBytes, allBytes, ...part], { index });
    const found = replyList(reply, 'fields-read');
    values.push(...part.map((_, n) => (typeof found[n] === 'string' ? replyText(found[n]) : null)));
  }
  return values;
}

/** The members of a sorted set with the highest scores, the highest first, without members of more than `bytes`. */
export async function readMembers(
  ctx: BrokerContext,
  { queue, index }: ReadKey,
  most: { readonly members: number; readonly bytes: number },
): Promise<[member: string, score: number][]> {
  const reply = await ctx.run('members-read', queue, [most.members, most.bytes], { index });
  return [...replyPairs(reply, 'members-read')].map(([member, score]) => [member, Number(score)]);
}

/** Fields of a hash as a map. @throws Error that begins with OVERSIZED, when the hash is larger than that */
export async function readHash(
  ctx: BrokerContext,
  { queue, index }: ReadKey,
  most: { readonly fields: number; readonly bytes: number },
): Promise<Map<string, string>> {
  const reply = await ctx.run('hash-read', queue, [most.fields, most.bytes], { index });
  return replyPairs(reply, 'hash-read');
}

/** The newest entries of a stream, the newest first, up to `bytes`. An entry that is too large alone has no fields, and ends the list. */
export async function readStreamTail(
  ctx: BrokerContext,
  { queue, index }: ReadKey,
  { from, to, count, bytes }: { from: string; to: string; count: number; bytes: number },
): Promise<[id: string, fields: unknown[]][]> {
  const reply = await ctx.run('stream-tail', queue, [from, to, count, bytes], { index });
  return replyList(reply, 'stream-tail').map((entry) => {
    const [id, fields] = replyList(entry, 'stream-tail');
    return [replyText(id), replyList(fields, 'stream-tail')];
  });
}
