/** Sessions: who is signed in, from where, until when. */

import type { SignInMethod } from '@/lib/contract/access/access-limits';
import {
  type SessionDetails,
  sessionDurationsSchema,
  type UserDetails,
} from '@/lib/contract/access/access-records';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { BrokerContext } from '../redis/broker-context';
import { replyList, replyNumber, replyText } from '../redis/script-reply';
import { serverNow } from '../redis/server-info';
import { accessIdOf, checkDigest, checkUserId, oneLine } from './access-row-fields';
import { parseSession, parseUser, type Session, type UserRecord } from './access-rows';
import { type Actor, actorJson } from './actor';

export const SESSIONS_MAX = 5_000;
export const SESSIONS_PER_USER_MAX = 50;
export const USERS_MAX = 10_000;
/** Of all groups together; groups beyond grant nothing. */
const GROUPS_MAX_CHARS = 8_000;

export interface SessionStart {
  /** SHA-256, in hex, of what the browser holds. */
  digest: string;
  /** Of the session the request came with, which ends: signing in never goes on in an earlier session. */
  replaces: string | null;
  person: { id: string; name: string; method: SignInMethod; groups: readonly string[] };
  stamp: string | null;
  address: string;
  agent: string;
  idleMs: number;
  maxMs: number;
  /** By this sign-in they confirmed their identity. */
  proved: boolean;
  /** How long ago that was; left out: just now. */
  authenticatedAgoMs?: number;
}

export const SESSION_VERBS = {
  begin: beginSession,
  look: lookUpSession,
  reauthenticate: reauthenticateSession,
  end: endSession,
  endAll: endSessions,
  list: listSessions,
};

/** @throws RedriveError SIGN_IN_FAILED for a user who is disabled */
async function beginSession(
  ctx: BrokerContext,
  start: SessionStart,
  by: Actor,
): Promise<{ id: string; expiresAt: number }> {
  const { digest, replaces, person } = start;
  const { idleMs, maxMs } = parseOrThrow(sessionDurationsSchema, start, 'session');
  const id = accessIdOf(digest);
  const [name, method] = [oneLine(person.name, 100), person.method];
  const aboutPerson: UserDetails = { name, method, groups: within(person.groups, GROUPS_MAX_CHARS) };
  const aboutSession: SessionDetails = {
    name,
    method,
    address: oneLine(start.address, 60),
    agent: oneLine(start.agent, 200),
  };
  const expiresAt = await ctx.run('session-begin', null, [
    id,
    digest,
    replaces === null ? '' : accessIdOf(replaces),
    replaces ?? '',
    checkUserId(person.id),
    JSON.stringify(aboutPerson),
    oneLine(start.stamp ?? '', 200),
    JSON.stringify(aboutSession),
    idleMs,
    maxMs,
    start.proved ? Math.max(0, Math.round(start.authenticatedAgoMs ?? 0)) : '',
    actorJson({ actorId: person.id, method, via: id, ...by }),
    SESSIONS_MAX,
    SESSIONS_PER_USER_MAX,
    USERS_MAX,
  ]);
  const at = replyNumber(expiresAt, 'session-begin');
  if (at < 0)
    throw new RedriveError(
      'SIGN_IN_FAILED',
      `${name} may not sign in at present. An administrator can change that under Access.`,
    );
  return { id, expiresAt: at };
}

/** The user confirmed their identity again, and goes on under a new id. Null: no such session. */
async function reauthenticateSession(
  ctx: BrokerContext,
  digest: string,
  next: { digest: string },
  by: Actor,
): Promise<{ id: string; leftMs: number } | null> {
  const id = accessIdOf(next.digest);
  const reply = await ctx.run('session-reauthenticate', null, [
    accessIdOf(digest),
    digest,
    id,
    next.digest,
    actorJson(by),
  ]);
  const leftMs = replyNumber(reply, 'session-reauthenticate');
  return leftMs > 0 ? { id, leftMs } : null;
}

/** Null: no such session, it is over, or its user is disabled. */
async function lookUpSession(
  ctx: BrokerContext,
  digest: string,
  { touch = true }: { touch?: boolean } = {},
): Promise<{ session: Session; person: UserRecord; now: number } | null> {
  const id = accessIdOf(digest);
  const [now, state, row, seen, given] = replyList(
    await ctx.run('session-read', null, [id, digest]),
    'session-read',
  );
  if (state === 0) return null;
  // Redis may refuse writes just now (memory, disk, a replica): sessions still go on.
  if (state === -1 || (state === 2 && touch))
    await ctx.run('session-touch', null, [id, digest]).catch(() => undefined);
  if (state === -1) return null;
  const session = parseSession(id, replyText(row));
  if (!session) return null;
  const person = parseUser(session.userId, replyText(seen), replyText(given));
  return person.disabled ? null : { session, person, now: Number(now) };
}

/** False: no such session, or not of this user. */
async function endSession(
  ctx: BrokerContext,
  what: { digest: string } | { id: string; userId?: string },
  by: Actor,
): Promise<boolean> {
  const args =
    'digest' in what ? [accessIdOf(what.digest), what.digest, ''] : [what.id, '', what.userId ?? ''];
  return (await ctx.run('session-end', null, [...args, actorJson(by)])) === 1;
}

/** @returns how many sessions ended; the session with this digest or id goes on */
async function endSessions(
  ctx: BrokerContext,
  userId: string,
  { except, exceptId }: { except?: string; exceptId?: string },
  by: Actor,
): Promise<number> {
  const stays = except === undefined ? (exceptId ?? '') : accessIdOf(checkDigest(except));
  const reply = await ctx.run('session-end-all', null, [checkUserId(userId), stays, actorJson(by)]);
  return replyNumber(reply, 'session-end-all');
}

const AT_ONCE = 500;
/** Those that are good, the latest first; of one user or of all. */
async function listSessions(ctx: BrokerContext, userId: string | null, limit: number): Promise<Session[]> {
  const now = await serverNow(ctx);
  const found: Session[] = [];
  const ids = userId === null ? await allSessionIds(ctx) : await idsOf(ctx, userId);
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const part = ids.slice(i, i + AT_ONCE);
    const rows = await ctx.plain((redis) => redis.hmget(ctx.keys.global('accessSessions'), ...part));
    for (const [n, row] of rows.entries()) {
      const session = parseSession(part[n] ?? '', row ?? '');
      if (session && session.expiresAt > now) found.push(session);
    }
  }
  return found.sort((a, b) => b.seenAt - a.seenAt || (a.id < b.id ? -1 : 1)).slice(0, limit);
}

async function idsOf(ctx: BrokerContext, userId: string): Promise<string[]> {
  const key = ctx.keys.global('accessSessions');
  const ids = await ctx.plain((redis) => redis.hget(key, `of:${checkUserId(userId)}`));
  return ids?.split(' ').filter((id) => id !== '') ?? [];
}

async function allSessionIds(ctx: BrokerContext): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < SESSIONS_MAX; from += AT_ONCE) {
    const part = await ctx.plain((redis) =>
      redis.zrevrange(ctx.keys.global('accessSessionEnds'), from, from + AT_ONCE - 1),
    );
    ids.push(...part);
    if (part.length < AT_ONCE) break;
  }
  return ids;
}

/** As many of them, from the first on, as fit. */
function within(words: readonly string[], maxChars: number): string[] {
  let left = maxChars;
  return words.filter((word) => {
    left -= word.length;
    return left >= 0;
  });
}
