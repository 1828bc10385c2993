/** Reading the entries of the audit log, a chunk at a time. */
import type { BrokerContext } from '../redis/broker-context';

const CHUNK = 500;

/** An entry as stored in Redis: its number and its text. */
export interface StoredEntry {
  /** NaN: an id that no entry of the log has. */
  readonly n: number;
  readonly text: string;
}

/** From entry `from` up to `to`, both included, oldest first. */
export async function* readEntriesForward(
  ctx: BrokerContext,
  from: number,
  to: number = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<StoredEntry, void> {
  if (from > to) return;
  for (let start = String(from); ; ) {
    const chunk = await range(ctx, (redis, key) => redis.xrange(key, start, String(to), 'COUNT', CHUNK));
    yield* chunk.map(stored);
    if (chunk.length < CHUNK) return;
    start = `(${chunk.at(-1)?.[0]}`;
  }
}

/** Those before entry `before`, newest first. */
export async function* readEntriesBackward(
  ctx: BrokerContext,
  before: number = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<StoredEntry, void> {
  for (let end = `(${before}-0`; ; ) {
    const chunk = await range(ctx, (redis, key) => redis.xrevrange(key, end, '-', 'COUNT', CHUNK));
    yield* chunk.map(stored);
    if (chunk.length < CHUNK) return;
    end = `(${chunk.at(-1)?.[0]}`;
  }
}

export const countEntries = (ctx: BrokerContext): Promise<number> =>
  ctx.plain((redis) => redis.xlen(ctx.keys.global('auditEntries')));

type Redis = Parameters<Parameters<BrokerContext['plain']>[0]>[0];
type Raw = [id: string, fields: string[]];

const range = (ctx: BrokerContext, ask: (redis: Redis, key: string) => Promise<Raw[]>): Promise<Raw[]> =>
  ctx.plain((redis) => ask(redis, ctx.keys.global('auditEntries')));

const stored = ([id, fields]: Raw): StoredEntry => ({
  n: /^\d+-0$/.test(id) ? Number(id.split('-', 1)[0]) : Number.NaN,
  text: fields[0] === 'e' && fields.length === 2 ? (fields[1] ?? '') : '',
});
