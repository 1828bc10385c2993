/**
 * Who a request is from: the bearer of an API token, the person of a session, or under AUTH=none whoever sits at this machine. Nothing
 * of it is remembered from request to request; while Redis cannot be asked, nobody is anybody.
 */
import type { Broker } from '@/lib/broker';
import { TOKEN_PREFIX } from '@/lib/contract/access';
import { RedriveError } from '@/lib/contract/errors';
import { EVERYTHING } from '@/lib/contract/permissions';
import { getBroker } from '../broker';
import { readEnv } from '../env';
import { personOf } from '../person';
import { singleton } from '../singleton';
import { addressOf } from './address';
import { digestOf, readSessionCookie } from './cookies';
import { localUserOf } from './local-users';
import type { Principal } from './principal';
import { rightsOf } from './rights';
import { isAsleep, OWNER_AWAY_MAX_DAYS, ownerRights } from './token-owner';
import { hasWay } from './ways';

type Asking = { headers: Headers };
/** Digests: what was shown itself is not kept for longer than it takes to look it up. */
interface Shown {
  readonly kind: 'token' | 'session' | 'none';
  readonly digest: string;
  readonly address: string;
}
/** Beside the principal and not in it, where it could get into a record or a log. */
const shownBy = singleton('shown', () => new WeakMap<Principal, Shown>());

/** @throws RedriveError UNAUTHENTICATED | REDIS_UNAVAILABLE */
export async function resolvePrincipal(request: Asking): Promise<Principal> {
  const address = addressOf(request);
  const digest = bearerOf(request.headers);
  if (digest !== null)
    return remember({ kind: 'token', digest, address }, await ofToken(digest, address, true));
  // AUTH=none stands alone, so a cookie of another console on this machine says nothing here.
  if (hasWay('none')) return remember({ kind: 'none', digest: '', address }, ofThisMachine(request, address));
  const cookie = readSessionCookie(request.headers);
  if (cookie === null) throw unauthenticated('Sign in first, or send an API token.', 'Cookie', 'is missing');
  const shown = { kind: 'session', digest: digestOf(cookie), address } as const;
  return remember(shown, await ofSession(shown.digest, address, true));
}

/** For pages, which have headers and no request. @throws RedriveError UNAUTHENTICATED | REDIS_UNAVAILABLE */
export const resolveFrom = (headers: Headers): Promise<Principal> => resolvePrincipal({ headers });

/**
 * The same asker as of now, by what they came with: for answers that take long. A session does not stay alive by that: an open page
 * that nobody looks at runs out like any other.
 * @throws RedriveError UNAUTHENTICATED | REDIS_UNAVAILABLE
 */
export async function stillGood(principal: Principal): Promise<Principal> {
  const shown = shownBy().get(principal);
  if (!shown) throw new Error('stillGood takes what resolvePrincipal gave, not a copy of it.');
  if (shown.kind === 'token') return remember(shown, await ofToken(shown.digest, shown.address, false));
  if (shown.kind === 'session') return remember(shown, await ofSession(shown.digest, shown.address, false));
  if (!hasWay('none')) throw over('session');
  return principal;
}

function remember(shown: Shown, principal: Principal): Principal {
  shownBy().set(principal, shown);
  return principal;
}

/** Null: none was sent; another scheme is some proxy's own business. One that cannot be a token is refused all the same. */
function bearerOf(headers: Headers): string | null {
  const sent = headers.get('authorization') ?? '';
  if (!/^bearer\b/i.test(sent)) return null;
  const token = sent.slice('bearer'.length).trim();
  if (!TOKEN.test(token)) throw over('token');
  return digestOf(token);
}
const TOKEN = new RegExp(`^${TOKEN_PREFIX}[A-Za-z0-9_-]{43}$`);

function ofThisMachine(request: Asking, address: string): Principal {
  const { name, chosen } = personOf(request);
  return {
    id: 'none',
    name,
    chosen,
    way: 'none',
    grants: [EVERYTHING],
    via: null,
    address,
    provedUntil: null,
    expiresAt: null,
  };
}

async function ofToken(digest: string, address: string, touch: boolean): Promise<Principal> {
  const found = await asked((access) => access.tokens.look(digest, { touch, address }));
  // What somebody may not do any more, no token of theirs may.
  const rights = found && ownerRights(found);
  if (!rights) throw over('token');
  if (isAsleep(found)) throw asleep();
  const { token } = found;
  return {
    id: `token:${token.id}`,
    name: `${token.name} (token of ${token.ownerName})`,
    chosen: false,
    way: 'token',
    ownerId: token.ownerId,
    ownerName: token.ownerName,
    grants: [token.grants, rights.grants],
    via: token.id,
    address,
    provedUntil: null,
    expiresAt: token.expiresAt,
  };
}

async function ofSession(digest: string, address: string, touch: boolean): Promise<Principal> {
  const found = await asked((access) => access.sessions.look(digest, { touch }));
  if (!found) throw over('session');
  const { session, person, now } = found;
  const local = session.way === 'local' ? localUserOf(session.personId) : null;
  if (session.way === 'local' && hasWay('local') && local?.stamp !== session.stamp) {
    // Removed from the file, or their password changed: the session is over for good, whatever the file says tomorrow.
    const by = { actor: 'system', reason: 'the user was removed, or the password changed' };
    await asked((access) => access.sessions.end({ digest }, by));
    throw over('session');
  }
  const rights = rightsOf(person, session.way);
  if (!rights) throw over('session');
  return {
    id: session.personId,
    name: local?.user.name ?? session.personName,
    chosen: false,
    way: session.way,
    grants: [rights.grants],
    via: session.id,
    address,
    provedUntil: provedUntil(session, now),
    expiresAt: session.expiresAt,
  };
}

/** By this machine's clock, which it is compared with; the session's times are by that of Redis. */
function provedUntil(session: { way: string; provedAt: number }, now: number): number | null {
  if (session.way === 'link') return null;
  if (session.provedAt === 0) return 0;
  return Date.now() + session.provedAt + readEnv(process.env).REDRIVE_PROOF_MINUTES * 60_000 - now;
}

/** A look has no outcome that could be unknown: where Redis does not answer in time, it cannot be reached. */
async function asked<T>(call: (access: Broker['access']) => Promise<T>): Promise<T> {
  try {
    return await call(getBroker().access);
  } catch (error) {
    if (!(error instanceof RedriveError) || error.code !== 'UNKNOWN_OUTCOME') throw error;
    throw new RedriveError(
      'REDIS_UNAVAILABLE',
      'Redis did not answer in time, so it cannot be known who is asking. Try again.',
      { cause: error },
    );
  }
}

const over = (what: 'session' | 'token'): RedriveError =>
  what === 'token'
    ? unauthenticated(
        'This API token is not in force: it ended, was revoked, or its owner changed their password or is not let in any more. Make a new one under Access.',
        'Authorization',
        'is no token in force',
      )
    : unauthenticated('Your session has ended. Sign in again.', 'Cookie', 'is no session that goes on');

const asleep = (): RedriveError =>
  unauthenticated(
    `This API token sleeps: its owner has not been here for ${OWNER_AWAY_MAX_DAYS} days. It is in force again once they sign in.`,
    'Authorization',
    'is a token that sleeps',
  );

const unauthenticated = (detail: string, field: string, message: string): RedriveError =>
  new RedriveError('UNAUTHENTICATED', detail, { fields: [{ field, message }] });
