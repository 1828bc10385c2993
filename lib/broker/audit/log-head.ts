/** Where the audit log begins and ends, and what was taken last from each stream. */
import type { BrokerContext } from '../redis/broker-context';
import { GENESIS_HASH } from './hash-chain';

/** The last entry on its side, and its hash. */
export interface ChainEnd {
  readonly n: number;
  readonly hash: string;
}

export interface LogHead extends ChainEnd {
  /** Name of the key the newest entry is hashed with; '' none. */
  readonly key: string;
  /** The last trimmed entry. */
  readonly base: ChainEnd;
  /** As they stand in Redis: what a write compares with. */
  readonly stored: readonly [n: string, hash: string, writing: string];
}

export interface CollectedUpTo {
  readonly id: string;
  readonly count: number;
}

const HEAD_FIELDS = ['n', 'hash', 'key', 'base', 'baseHash', 'writing'];
export const takenField = (source: string): string => `from:${source}`;
/** Of a queue; '' all of them. */
export const roomField = (queue: string): string => `room:${queue}`;

export async function readLogHead(
  ctx: BrokerContext,
  sources: readonly string[] = [],
  queues: readonly string[] = [],
): Promise<{ head: LogHead; taken: Map<string, CollectedUpTo>; rooms: Map<string, string> }> {
  const fields = [...HEAD_FIELDS, ...sources.map(takenField), ...queues.map(roomField)];
  const [n, hash, key, base, baseHash, writing, ...more] = await ctx.plain((redis) =>
    redis.hmget(ctx.keys.global('auditHead'), ...fields),
  );
  const begins: ChainEnd = { n: Number(base) || 0, hash: baseHash || GENESIS_HASH };
  return {
    head: {
      n: Number(n) || 0,
      hash: hash || begins.hash,
      key: key ?? '',
      base: begins,
      stored: [n ?? '0', hash ?? '', writing ?? ''],
    },
    taken: new Map(
      sources.flatMap((source, i) => {
        const [id = '', count = '0'] = (more[i] ?? '').split(' ');
        return id === '' ? [] : [[source, { id, count: Number(count) || 0 }] as const];
      }),
    ),
    rooms: new Map(
      queues.flatMap((queue, i) => {
        const room = more[sources.length + i];
        return room ? [[queue, room] as const] : [];
      }),
    ),
  };
}

export const collectedText = ({ id, count }: CollectedUpTo): string => `${id} ${count}`;
