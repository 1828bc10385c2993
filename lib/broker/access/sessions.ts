/** Sessions: who is signed in, from where, until when. */
import type { WayIn } from '@/lib/contract/access';
import { type AboutPerson, type AboutSession, sessionDurationsSchema } from '@/lib/contract/access-rows';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import type { BrokerContext } from '../context';
import { type Actor, actorNote } from '../note';
import { serverNow } from '../now';
import { list, numbers, text } from '../reply';
import { checkDigest, checkPersonId, idOf, NO_QUEUE, plain } from './ids';
import { readGiven, readSeen, type StoredPerson } from './person-row';
import { readSession, type Session } from './session-row';

export const SESSIONS_MAX = 5_000;
export const SESSIONS_OF_ONE_MAX = 50;
export const PEOPLE_MAX = 10_000;
/** Of all groups together. What is beyond is left out: it grants nothing. */
const GROUPS_MAX_CHARS = 8_000;

export interface SessionStart {
  /** SHA-256, in hex, of what the browser holds. */
  digest: string;
  /** Of the session the request came with, which ends: nobody goes on in a session that was there before. */
  replaces: string | null;
  person: { id: string; name: string; way: WayIn; groups: readonly string[] };
  stamp: string | null;
  address: string;
  agent: string;
  idleMs: number;
  maxMs: number;
  /** They said who they are. */
  proved: boolean;
  /** How long ago that was; left out: just now. */
  provedAgoMs?: number;
}

export const sessionVerbs = (ctx: BrokerContext) => ({
  /** @throws RedriveError SIGN_IN_FAILED for somebody who is not let in any more */
  begin: (start: SessionStart, by: Actor) => begin(ctx, start, by),
  /** Null: no such session, it is over, or its person is not let in any more. */
  look: (digest: string, options?: { touch?: boolean }) => look(ctx, digest, options),
  /** They said once more who they are, and go on under a new id. Null: no such session. */
  prove: (digest: string, next: { digest: string }, by: Actor) => prove(ctx, digest, next, by),
  /** False: no such session, or not of this person. */
  end: (what: { digest: string } | { id: string; personId?: string }, by: Actor) => end(ctx, what, by),
  /** How many there were, but for one by digest or id. */
  endAll: (personId: string, except: { except?: string; exceptId?: string }, by: Actor) =>
    endAll(ctx, personId, except, by),
  /** Those that are good, the latest first; of one person or of all. */
  list: (personId: string | null, limit: number) => listSessions(ctx, personId, limit),
});

async function begin(
  ctx: BrokerContext,
  start: SessionStart,
  by: Actor,
): Promise<{ id: string; expiresAt: number }> {
  const { digest, replaces, person } = start;
  const { idleMs, maxMs } = parseOrThrow(sessionDurationsSchema, start, 'session');
  const id = idOf(digest);
  const [name, way] = [plain(person.name, 100), person.way];
  const aboutPerson: AboutPerson = { name, way, groups: within(person.groups, GROUPS_MAX_CHARS) };
  const aboutSession: AboutSession = {
    name,
    way,
    address: plain(start.address, 60),
    agent: plain(start.agent, 200),
  };
  const expiresAt = await ctx.run('session-begin', NO_QUEUE, [
    id,
    digest,
    replaces === null ? '' : idOf(replaces),
    replaces ?? '',
    checkPersonId(person.id),
    JSON.stringify(aboutPerson),
    plain(start.stamp ?? '', 200),
    JSON.stringify(aboutSession),
    idleMs,
    maxMs,
    start.proved ? Math.max(0, Math.round(start.provedAgoMs ?? 0)) : '',
    actorNote({ actorId: person.id, way, via: id, ...by }),
    SESSIONS_MAX,
    SESSIONS_OF_ONE_MAX,
    PEOPLE_MAX,
  ]);
  const [at = 0] = numbers([expiresAt], 'session-begin');
  if (at < 0)
    throw new RedriveError(
      'SIGN_IN_FAILED',
      `${name} is not let in at present. Whoever runs this console can change that under Access.`,
    );
  return { id, expiresAt: at };
}

async function prove(
  ctx: BrokerContext,
  digest: string,
  next: { digest: string },
  by: Actor,
): Promise<{ id: string; leftMs: number } | null> {
  const id = idOf(next.digest);
  const reply = await ctx.run('session-prove', NO_QUEUE, [
    idOf(digest),
    digest,
    id,
    next.digest,
    actorNote(by),
  ]);
  const [leftMs = 0] = numbers([reply], 'session-prove');
  return leftMs > 0 ? { id, leftMs } : null;
}

async function look(
  ctx: BrokerContext,
  digest: string,
  { touch = true }: { touch?: boolean } = {},
): Promise<{ session: Session; person: StoredPerson; now: number } | null> {
  const id = idOf(digest);
  const [now, state, row, seen, given] = list(
    await ctx.run('session-look', NO_QUEUE, [id, digest]),
    'session-look',
  );
  if (state === 0) return null;
  // Redis may take no writes just now (memory, disk, a replica): whoever is signed in stays so all the same.
  if (state === -1 || (state === 2 && touch))
    await ctx.run('session-keep', NO_QUEUE, [id, digest]).catch(() => undefined);
  if (state === -1) return null;
  const session = readSession(id, text(row));
  if (!session) return null;
  const person = { id: session.personId, seen: readSeen(text(seen)), ...readGiven(text(given)) };
  return person.disabled ? null : { session, person, now: Number(now) };
}

async function end(
  ctx: BrokerContext,
  what: { digest: string } | { id: string; personId?: string },
  by: Actor,
): Promise<boolean> {
  const args = 'digest' in what ? [idOf(what.digest), what.digest, ''] : [what.id, '', what.personId ?? ''];
  return (await ctx.run('session-end', NO_QUEUE, [...args, actorNote(by)])) === 1;
}

async function endAll(
  ctx: BrokerContext,
  personId: string,
  { except, exceptId }: { except?: string; exceptId?: string },
  by: Actor,
): Promise<number> {
  const stays = except === undefined ? (exceptId ?? '') : idOf(checkDigest(except));
  const reply = await ctx.run('session-end-all', NO_QUEUE, [checkPersonId(personId), stays, actorNote(by)]);
  const [ended = 0] = numbers([reply], 'session-end-all');
  return ended;
}

const AT_ONCE = 500;
async function listSessions(ctx: BrokerContext, personId: string | null, limit: number): Promise<Session[]> {
  const now = await serverNow(ctx);
  const found: Session[] = [];
  const ids = personId === null ? await idsOfAll(ctx) : await idsOf(ctx, personId);
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const part = ids.slice(i, i + AT_ONCE);
    const rows = await ctx.plain((redis) => redis.hmget(ctx.keys.global('accessSessions'), ...part));
    for (const [n, row] of rows.entries()) {
      const session = readSession(part[n] ?? '', row ?? '');
      if (session && session.expiresAt > now) found.push(session);
    }
  }
  return found.sort((a, b) => b.seenAt - a.seenAt || (a.id < b.id ? -1 : 1)).slice(0, limit);
}

async function idsOf(ctx: BrokerContext, personId: string): Promise<string[]> {
  const key = ctx.keys.global('accessSessions');
  const ids = await ctx.plain((redis) => redis.hget(key, `of:${checkPersonId(personId)}`));
  return ids?.split(' ').filter((id) => id !== '') ?? [];
}

async function idsOfAll(ctx: BrokerContext): Promise<string[]> {
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
