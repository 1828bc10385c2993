/**
 * The principal of a request: an API token, the user of a session, or under AUTH=none the local user. Nothing is cached from request to
 * request; while Redis does not answer, no request has a principal.
 */
import type { Broker } from '@/lib/broker';
import { TOKEN_PREFIX } from '@/lib/contract/access/access-limits';
import { ADMIN_GRANTS } from '@/lib/contract/access/grant-scopes';
import { RedriveError } from '@/lib/contract/redrive-error';
import { getBroker } from '../console-broker';
import { readEnv } from '../environment';
import { addressOf } from '../http/client-network';
import { singleton } from '../singleton';
import { localName } from './local-name';
import { ANONYMOUS, type Principal } from './principal';
import { digestOf, readSessionCookie } from './session-cookie';
import { hasSignInMethod } from './sign-in-methods';
import { isSuspended, OWNER_AWAY_MAX_DAYS, tokenOwnerRights } from './token-owner';
import { rightsOf } from './user-rights';
import { localUserOf } from './users/local-users';

type Asking = { headers: Headers };
/** Digests of the credentials; these themselves are not kept after the lookup. */
interface Credentials {
  readonly kind: 'token' | 'session' | 'none';
  readonly digest: string;
  readonly address: string;
}
/** Beside the principal, not in it, where it could get into a record or a log. */
const credentialsOf = singleton('credentials', () => new WeakMap<Principal, Credentials>());

/** @throws RedriveError UNAUTHENTICATED | REDIS_UNAVAILABLE */
export async function resolvePrincipal(request: Asking): Promise<Principal> {
  const address = addressOf(request);
  const digest = bearerOf(request.headers);
  if (digest !== null)
    return remember({ kind: 'token', digest, address }, await ofToken(digest, address, true));
  // AUTH=none is never combined, so a cookie of another console on this machine is ignored.
  if (hasSignInMethod('none'))
    return remember({ kind: 'none', digest: '', address }, ofThisMachine(request, address));
  const cookie = readSessionCookie(request.headers);
  if (cookie === null) throw unauthenticated('Sign in first, or send an API token.', 'Cookie', 'is missing');
  const shown = { kind: 'session', digest: digestOf(cookie), address } as const;
  return remember(shown, await ofSession(shown.digest, address, true));
}

/**
 * Resolves the same credentials again, for long responses. This does not extend a session: an idle page expires like any other.
 * @throws RedriveError UNAUTHENTICATED | REDIS_UNAVAILABLE
 */
export async function revalidatePrincipal(principal: Principal): Promise<Principal> {
  const shown = credentialsOf().get(principal);
  if (!shown) throw new Error('revalidatePrincipal takes what resolvePrincipal gave, not a copy of it.');
  if (shown.kind === 'token') return remember(shown, await ofToken(shown.digest, shown.address, false));
  if (shown.kind === 'session') return remember(shown, await ofSession(shown.digest, shown.address, false));
  if (!hasSignInMethod('none')) throw invalid('session');
  return principal;
}

function remember(shown: Credentials, principal: Principal): Principal {
  credentialsOf().set(principal, shown);
  return principal;
}

/** Null: no bearer token; another scheme belongs to a proxy. A malformed token is refused. */
function bearerOf(headers: Headers): string | null {
  const sent = headers.get('authorization') ?? '';
  if (!/^bearer\b/i.test(sent)) return null;
  const token = sent.slice('bearer'.length).trim();
  if (!TOKEN.test(token)) throw invalid('token');
  return digestOf(token);
}
const TOKEN = new RegExp(`^${TOKEN_PREFIX}[A-Za-z0-9_-]{43}$`);

function ofThisMachine(request: Asking, address: string): Principal {
  const { name, chosen } = localName(request);
  return {
    ...ANONYMOUS,
    id: 'none',
    name,
    chosen,
    method: 'none',
    grants: [ADMIN_GRANTS],
    address,
  };
}

async function ofToken(digest: string, address: string, touch: boolean): Promise<Principal> {
  const found = await readAccess((access) => access.tokens.look(digest, { touch, address }));
  // A token never exceeds its owner's grants.
  const rights = found && tokenOwnerRights(found);
  if (!rights) throw invalid('token');
  if (isSuspended(found)) throw suspended();
  const { token } = found;
  return {
    ...ANONYMOUS,
    id: `token:${token.id}`,
    name: `${token.name} (token of ${token.ownerName})`,
    method: 'token',
    ownerId: token.ownerId,
    ownerName: token.ownerName,
    grants: [token.grants, rights.grants],
    via: token.id,
    address,
    expiresAt: token.expiresAt,
  };
}

async function ofSession(digest: string, address: string, touch: boolean): Promise<Principal> {
  const found = await readAccess((access) => access.sessions.look(digest, { touch }));
  if (!found) throw invalid('session');
  const { session, person, now } = found;
  const local = session.method === 'local' ? localUserOf(session.userId) : null;
  if (session.method === 'local' && hasSignInMethod('local') && local?.stamp !== session.stamp) {
    // The user was removed, or the password changed: the session ends, even if the file is restored later.
    const by = { actor: 'system', reason: 'the user was removed, or the password changed' };
    await readAccess((access) => access.sessions.end({ digest }, by));
    throw invalid('session');
  }
  const rights = rightsOf(person, session.method);
  if (!rights) throw invalid('session');
  return {
    id: session.userId,
    name: local?.user.name ?? session.userName,
    chosen: false,
    method: session.method,
    grants: [rights.grants],
    via: session.id,
    address,
    reauthenticatedUntil: reauthenticatedUntil(session, now),
    expiresAt: session.expiresAt,
  };
}

/** In this machine's clock; the session's times are in that of Redis. */
function reauthenticatedUntil(
  session: { method: string; authenticatedAt: number },
  now: number,
): number | null {
  if (session.method === 'link') return null;
  if (session.authenticatedAt === 0) return 0;
  return (
    Date.now() +
    session.authenticatedAt +
    readEnv(process.env).REDRIVE_REAUTHENTICATION_MINUTES * 60_000 -
    now
  );
}

/** A read has no unknown outcome: a timeout means that Redis is unavailable. */
async function readAccess<T>(call: (access: Broker['access']) => Promise<T>): Promise<T> {
  try {
    return await call(getBroker().access);
  } catch (error) {
    if (!(error instanceof RedriveError) || error.code !== 'UNKNOWN_OUTCOME') throw error;
    throw new RedriveError(
      'REDIS_UNAVAILABLE',
      'Redis did not answer in time, so your sign-in could not be checked. Try again.',
      { cause: error },
    );
  }
}

const invalid = (what: 'session' | 'token'): RedriveError =>
  what === 'token'
    ? unauthenticated(
        'This API token is not valid: it expired or was revoked, or its owner changed the password or lost access. Create a new one under Access.',
        'Authorization',
        'is not a valid token',
      )
    : unauthenticated('Your session has ended. Sign in again.', 'Cookie', 'is not a valid session');

const suspended = (): RedriveError =>
  unauthenticated(
    `API token suspended: its owner has been inactive for ${OWNER_AWAY_MAX_DAYS} days. It works again after the owner signs in.`,
    'Authorization',
    'is a suspended token',
  );

const unauthenticated = (detail: string, field: string, message: string): RedriveError =>
  new RedriveError('UNAUTHENTICATED', detail, { fields: [{ field, message }] });
