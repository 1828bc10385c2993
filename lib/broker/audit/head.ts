/** Where the audit log begins and ends, and what was taken last from each outbox. */
import type { BrokerContext } from '../context';
import { BEGINNING } from './chain';

/** The last entry on its side, and its hash. */
export interface End {
  readonly n: number;
  readonly hash: string;
}

export interface Head extends End {
  /** Name of the key the newest entry is hashed with; '' none. */
  readonly key: string;
  /** The last entry that was let go of. */
  readonly base: End;
  /** As they stand in Redis: what a write compares with. */
  readonly stored: readonly [n: string, hash: string];
}

/** What was taken last from an outbox. */
export interface Taken {
  readonly id: string;
  readonly count: number;
}

export async function readHead(
  ctx: BrokerContext,
  places: readonly string[] = [],
): Promise<{ head: Head; taken: Map<string, Taken> }> {
  const fields = ['n', 'hash', 'key', 'base', 'baseHash', ...places.map((place) => `from:${place}`)];
  const [n, hash, key, base, baseHash, ...from] = await ctx.plain((redis) =>
    redis.hmget(ctx.keys.global('auditHead'), ...fields),
  );
  const begins: End = { n: Number(base) || 0, hash: baseHash || BEGINNING };
  return {
    head: {
      n: Number(n) || 0,
      hash: hash || begins.hash,
      key: key ?? '',
      base: begins,
      stored: [n ?? '0', hash ?? ''],
    },
    taken: new Map(
      places.flatMap((place, i) => {
        const [id = '', count = '0'] = (from[i] ?? '').split(' ');
        return id === '' ? [] : [[place, { id, count: Number(count) || 0 }] as const];
      }),
    ),
  };
}

export const takenText = ({ id, count }: Taken): string => `${id} ${count}`;
