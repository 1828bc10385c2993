/** API tokens: for programs, of a user, with rights of their own. */

import type { SignInMethod } from '@/lib/contract/access/access-limits';
import type { TokenDetails } from '@/lib/contract/access/access-records';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { QUOTAS } from '@/lib/contract/access/quotas';
import type { BrokerContext } from '../redis/broker-context';
import { replyList, replyNumbers, replyText } from '../redis/script-reply';
import { serverNow } from '../redis/server-info';
import { accessIdOf, checkUserId, grantsJson, oneLine } from './access-row-fields';
import { parseToken, parseUser, type Token, type UserRecord } from './access-rows';
import { type Actor, actorJson } from './actor';
import { quotaArg, throwIfOverQuota } from './quota-check';
import { getUser } from './user-records';

const LISTED_MAX = QUOTAS.tokens.total + QUOTAS.tokens.reserve;

export interface TokenStart {
  /** SHA-256, in hex, of what the program holds. */
  digest: string;
  name: string;
  hint: string;
  /** `generation`: of a local user's tokens; left out: 1. */
  owner: { id: string; name: string; method: SignInMethod; generation?: number };
  grants: readonly Grant[];
  forMs: number;
}

export const TOKEN_VERBS = {
  create: createToken,
  look: lookUpToken,
  get: findToken,
  list: listTokens,
  /** False: no such token, or not of this owner. */
  revoke: async (ctx: BrokerContext, id: string, { ownerId = '' }: { ownerId?: string }, by: Actor) =>
    (await ctx.run('token-revoke', null, [id, ownerId, actorJson(by)])) === 1,
};

/** @throws RedriveError LIMIT_REACHED | VALIDATION */
async function createToken(ctx: BrokerContext, start: TokenStart, by: Actor): Promise<Token> {
  const { digest, owner, grants } = start;
  const about: TokenDetails = {
    name: oneLine(start.name, 60),
    hint: oneLine(start.hint, 12),
    ownerName: oneLine(owner.name, 100),
    ownerMethod: owner.method,
    ownerGeneration: owner.generation ?? 1,
    grants: JSON.parse(grantsJson(grants)) as Grant[],
  };
  const id = accessIdOf(digest);
  const { tenants = [], isAdmin = false, seesAll = false } = by.quotaOwner ?? {};
  const quotaOwner = { id: owner.id, name: about.ownerName, tenants, isAdmin, seesAll };
  const reply = await ctx.run('token-create', null, [
    id,
    digest,
    checkUserId(owner.id),
    JSON.stringify(about),
    start.forMs,
    actorJson(by),
    quotaArg('tokens', { ...by, quotaOwner }),
  ]);
  await throwIfOverQuota(ctx, reply, ctx.keys.global('accessShares'), { ...by, quotaOwner }, 'name');
  const [createdAt = 0, expiresAt = 0] = replyNumbers(reply, 'token-create');
  const used = { lastUsedAt: null, lastAddress: null };
  return { ...about, id, ownerId: owner.id, createdAt, expiresAt, ...used };
}

/** Null: no such token, or it is over. `owner` says whether its owner may still sign in. */
async function lookUpToken(
  ctx: BrokerContext,
  digest: string,
  { touch = true, address = '' }: { touch?: boolean; address?: string } = {},
): Promise<{ token: Token; owner: UserRecord; now: number } | null> {
  const id = accessIdOf(digest);
  const [now, state, row, seen, given] = replyList(
    await ctx.run('token-read', null, [id, digest]),
    'token-read',
  );
  if (state !== 1 && state !== 2) return null;
  // Redis may refuse writes just now: programs still read.
  if (state === 2 && touch)
    await ctx.run('token-touch', null, [id, digest, oneLine(address, 60)]).catch(() => undefined);
  const token = parseToken(id, replyText(row));
  if (!token) return null;
  return { token, owner: parseUser(token.ownerId, replyText(seen), replyText(given)), now: Number(now) };
}

/** The latest first, also those that ended within 30 days; of one owner or of all. */
async function listTokens(ctx: BrokerContext, ownerId: string | null): Promise<Token[]> {
  const key = ctx.keys.global('accessTokens');
  const ids =
    ownerId === null
      ? await ctx.plain((redis) => redis.zrevrange(ctx.keys.global('accessTokenEnds'), 0, LISTED_MAX - 1))
      : ((await ctx.plain((redis) => redis.hget(key, `of:${checkUserId(ownerId)}`)))?.split(' ') ?? []);
  if (ids.length === 0) return [];
  const rows = await ctx.plain((redis) => redis.hmget(key, ...ids));
  return rows
    .flatMap((row, i) => parseToken(ids[i] ?? '', row ?? '') ?? [])
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
}

/** By its name in lists, for what was begun with it and goes on without its bearer. */
async function findToken(
  ctx: BrokerContext,
  id: string,
): Promise<{ token: Token; owner: UserRecord; now: number } | null> {
  const [row, now] = await Promise.all([
    ctx.plain((redis) => redis.hget(ctx.keys.global('accessTokens'), id)),
    serverNow(ctx),
  ]);
  const token = parseToken(id, row ?? '');
  if (!token || token.expiresAt <= now) return null;
  return { token, owner: await getUser(ctx, token.ownerId), now };
}
