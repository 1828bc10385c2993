/** A token by its name in lists, for what was begun with it and goes on without its bearer. */
import type { BrokerContext } from '../context';
import { serverNow } from '../now';
import { personVerbs } from './people';
import type { StoredPerson } from './person-row';
import { readToken, type Token } from './token-row';

/** Null: no such token, or it is over. Whether its owner is still let in is said by `owner`. */
export async function getToken(
  ctx: BrokerContext,
  id: string,
): Promise<{ token: Token; owner: StoredPerson; now: number } | null> {
  const [row, now] = await Promise.all([
    ctx.plain((redis) => redis.hget(ctx.keys.global('accessTokens'), id)),
    serverNow(ctx),
  ]);
  const token = readToken(id, row ?? '');
  if (!token || token.expiresAt <= now) return null;
  return { token, owner: await personVerbs(ctx).get(token.ownerId), now };
}
