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
  readonly stored: readonly [n: string, hash: string];
}

export interface CollectedUpTo {
  readonly id: string;
  readonly count: number;
}

export async function readLogHead(
  ctx: BrokerContext,
  sources: readonly string[] = [],
): Promise<{ head: LogHead; taken: Map<string, CollectedUpTo> }> {
  const fields = ['n', 'hash', 'key', 'base', 'baseHash', ...sources.map((source) => `from:${source}`)];
  const [n, hash, key, base, baseHash, ...from] = await ctx.plain((redis) =>
    redis.hmget(ctx.keys.global('auditHead'), ...fields),
  );
  const begins: ChainEnd = { n: Number(base) || 0, hash: baseHash || GENESIS_HASH };
  return {
    head: {
      n: Number(n) || 0,
      hash: hash || begins.hash,
      key: key ?? '',
      base: begins,
      stored: [n ?? '0', hash ?? ''],
    },
    taken: new Map(
      sources.flatMap((source, i) => {
        const [id = '', count = '0'] = (from[i] ?? '').split(' ');
        return id === '' ? [] : [[source, { id, count: Number(count) || 0 }] as const];
      }),
    ),
  };
}

export const collectedText = ({ id, count }: CollectedUpTo): string => `${id} ${count}`;
