/** API tokens: for programs, of a person, with rights of their own. */
import type { WayIn } from '@/lib/contract/access';
import type { AboutToken } from '@/lib/contract/access-rows';
import { CEILINGS } from '@/lib/contract/ceilings';
import type { Grant } from '@/lib/contract/permissions';
import type { BrokerContext } from '../context';
import { type Actor, actorNote } from '../note';
import { list, numbers, text } from '../reply';
import { limitReached, shareArg, shareRefusal } from '../shares';
import { checkPersonId, grantsText, idOf, NO_QUEUE, plain } from './ids';
import { readGiven, readSeen, type StoredPerson } from './person-row';
import { getToken } from './token-get';
import { readToken, type Token } from './token-row';

const LISTED_MAX = CEILINGS.tokens.whole + CEILINGS.tokens.reserve;

export interface TokenStart {
  /** SHA-256, in hex, of what the program holds. */
  digest: string;
  name: string;
  hint: string;
  /** `generation`: of a local user's tokens; left out: 1. */
  owner: { id: string; name: string; way: WayIn; generation?: number };
  grants: readonly Grant[];
  forMs: number;
}

export const tokenVerbs = (ctx: BrokerContext) => ({
  /** @throws RedriveError LIMIT_REACHED | VALIDATION */
  create: (start: TokenStart, by: Actor) => create(ctx, start, by),
  /** Null: no such token, or it is over. Whether its owner is still let in is said by `owner`. */
  look: (digest: string, options?: { touch?: boolean; address?: string }) => look(ctx, digest, options),
  /** By its name in lists. Null: no such token, or it is over. Whether its owner is still let in is said by `owner`. */
  get: (id: string) => getToken(ctx, id),
  /** The latest first, also those that ended within 30 days; of one owner or of all. */
  list: (ownerId: string | null) => listTokens(ctx, ownerId),
  /** False: no such token, or not of this owner. */
  revoke: async (id: string, { ownerId = '' }: { ownerId?: string }, by: Actor) =>
    (await ctx.run('token-revoke', NO_QUEUE, [id, ownerId, actorNote(by)])) === 1,
});

async function create(ctx: BrokerContext, start: TokenStart, by: Actor): Promise<Token> {
  const { digest, owner, grants } = start;
  const about: AboutToken = {
    name: plain(start.name, 60),
    hint: plain(start.hint, 12),
    ownerName: plain(owner.name, 100),
    ownerWay: owner.way,
    ownerGeneration: owner.generation ?? 1,
    grants: JSON.parse(grantsText(grants)) as Grant[],
  };
  const id = idOf(digest);
  const { tenants = [], isAdmin = false, seesAll = false } = by.holder ?? {};
  const holder = { id: owner.id, name: about.ownerName, tenants, isAdmin, seesAll };
  const reply = await ctx.run('token-create', NO_QUEUE, [
    id,
    digest,
    checkPersonId(owner.id),
    JSON.stringify(about),
    start.forMs,
    actorNote(by),
    shareArg('tokens', { ...by, holder }),
  ]);
  const refused = shareRefusal(reply);
  if (refused)
    throw await limitReached(ctx, ctx.keys.global('accessShares'), refused, { ...by, holder }, 'name');
  const [createdAt = 0, expiresAt = 0] = numbers(reply, 'token-create');
  const used = { lastUsedAt: null, lastAddress: null };
  return { ...about, id, ownerId: owner.id, createdAt, expiresAt, ...used };
}

async function look(
  ctx: BrokerContext,
  digest: string,
  { touch = true, address = '' }: { touch?: boolean; address?: string } = {},
): Promise<{ token: Token; owner: StoredPerson; now: number } | null> {
  const id = idOf(digest);
  const [now, state, row, seen, given] = list(
    await ctx.run('token-look', NO_QUEUE, [id, digest]),
    'token-look',
  );
  if (state !== 1 && state !== 2) return null;
  // Redis may take no writes just now: programs may go on reading all the same.
  if (state === 2 && touch)
    await ctx.run('token-keep', NO_QUEUE, [id, digest, plain(address, 60)]).catch(() => undefined);
  const token = readToken(id, text(row));
  if (!token) return null;
  const owner = { id: token.ownerId, seen: readSeen(text(seen)), ...readGiven(text(given)) };
  return { token, owner, now: Number(now) };
}

async function listTokens(ctx: BrokerContext, ownerId: string | null): Promise<Token[]> {
  const key = ctx.keys.global('accessTokens');
  const ids =
    ownerId === null
      ? await ctx.plain((redis) => redis.zrevrange(ctx.keys.global('accessTokenEnds'), 0, LISTED_MAX - 1))
      : ((await ctx.plain((redis) => redis.hget(key, `of:${checkPersonId(ownerId)}`)))?.split(' ') ?? []);
  if (ids.length === 0) return [];
  const rows = await ctx.plain((redis) => redis.hmget(key, ...ids));
  return rows
    .flatMap((row, i) => readToken(ids[i] ?? '', row ?? '') ?? [])
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
}
