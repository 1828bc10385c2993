/**
 * Reads of keys that a producer's or worker's Redis user can write without Redrive: of any number of fields, and values of any size. What
 * is larger than Redrive writes stays in Redis.
 */
import type { BrokerContext } from './broker-context';
import type { Column, GlobalKey } from './redis-keys';
import { runPipelines } from './run-pipelines';
import { replyList, replyPairs, replyText } from './script-reply';

/** A column of a queue or its shard, or a key outside queues. */
export type ReadKey =
  | { readonly queue: string; readonly index: Column }
  | { readonly queue: null; readonly index: GlobalKey };

export interface FieldBounds {
  /** Bytes of one value. */
  readonly eachBytes: number;
  /** Bytes of all values of one call of 500 fields. */
  readonly allBytes: number;
}
export type StreamEntry = readonly [id: string, fields: readonly string[]];
const FIELDS_A_CALL = 500;
/** Small rows: of claims, deaths, operations and numbers. */
export const SMALL_ROWS: FieldBounds = { eachBytes: 16_384, allBytes: 1_048_576 };

/** Of the pauses of a queue: Redrive writes at most 100. */
export const PAUSES_BOUND = { fields: 1_000, bytes: 524_288 } as const;

/** Values of fields, in order. Null: the field is missing; undefined: its value is too large. */
export async function readFields(
  ctx: BrokerContext,
  { queue, index }: ReadKey,
  fields: readonly string[],
  { eachBytes, allBytes }: FieldBounds,
): Promise<(string | null | undefined)[]> {
  const values: (string | null | undefined)[] = [];
  for (let i = 0; i < fields.length; i += FIELDS_A_CALL) {
    const part = fields.slice(i, i + FIELDS_A_CALL);
    const reply = await ctx.run('fields-read', queue, [eachBytes, allBytes, ...part], { index });
    const found = replyList(reply, 'fields-read');
    values.push(
      ...part.map((_, n) =>
        typeof found[n] === 'number'
          ? undefined
          : found[n] === null || found[n] === undefined
            ? null
            : replyText(found[n]),
      ),
    );
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

/** Fields of a hash as a map. @throws RedriveError REDIS_UNAVAILABLE when the hash is larger than `most` */
export async function readHash(
  ctx: BrokerContext,
  { queue, index }: ReadKey,
  most: { readonly fields: number; readonly bytes: number },
): Promise<Map<string, string>> {
  const reply = await ctx.run('hash-read', queue, [most.fields, most.bytes], { index });
  return replyPairs(reply, 'hash-read');
}

/** Which keys are small enough to be read by plain commands, in order. A key that cannot be measured counts as small: its read says why. */
export async function areSmall(
  ctx: BrokerContext,
  keys: readonly string[],
  bytes: number,
): Promise<boolean[]> {
  const usages = await runPipelines(ctx, keys, (pipeline, key) =>
    pipeline.memory('USAGE', key, 'SAMPLES', 0),
  );
  return usages.map((usage) => typeof usage !== 'number' || usage <= bytes);
}

/** The newest entries of a stream, the newest first, up to `bytes`. An entry that is too large alone has no fields, and ends the list. */
export async function readStreamTail(
  ctx: BrokerContext,
  { queue, index }: ReadKey,
  { from, to, count, bytes }: { from: string; to: string; count: number; bytes: number },
): Promise<StreamEntry[]> {
  const reply = await ctx.run('stream-tail', queue, [from, to, count, bytes], { index });
  return parseStreamEntries(reply);
}

/** Id and fields of each entry in a reply of `stream-tail`. */
export const parseStreamEntries = (reply: unknown): StreamEntry[] =>
  replyList(reply, 'stream-tail').map((entry) => {
    const [id, fields] = replyList(entry, 'stream-tail');
    return [replyText(id), replyList(fields, 'stream-tail').map(replyText)];
  });
