/** The users of this console for administrators: those who signed in, those who can, and the present grants of each. */
import type { Actor, Broker } from '@/lib/broker';
import type { SignInMethod } from '@/lib/contract/access/access-limits';
import type { UserAccessChange, UserView } from '@/lib/contract/access/access-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';
import { isOfThisProvider } from '../authentication/identity-provider/oidc-user';
import type { Principal } from '../authentication/principal';
import { rightsOf } from '../authentication/user-rights';
import { localUserOf, localUsers } from '../authentication/users/local-users';
import { requireAccessManagement, requireAccessOverview } from '../authorization/require-permission';
import { getBroker } from '../console-broker';

/** Shown users, the latest sign-in first. */
const SHOWN_MAX = 2_000;
const ALL = 1_000_000;
type Stored = Awaited<ReturnType<Broker['access']['users']['get']>>;

/** @throws RedriveError FORBIDDEN */
export async function listUsers(principal: Principal): Promise<{ at: number; users: UserView[] }> {
  requireAccessOverview(principal);
  const { access, now } = getBroker();
  const stored = new Map((await access.users.list()).map((person) => [person.id, person]));
  // Users of the file who have never signed in.
  for (const { userId: id } of localUsers())
    if (!stored.has(id)) stored.set(id, { id, seen: null, grants: null, disabled: null });
  const sessions = new Map<string, number>();
  for (const { userId } of await access.sessions.list(null, ALL))
    sessions.set(userId, (sessions.get(userId) ?? 0) + 1);
  const users = [...stored.values()]
    .map((person) => viewOf(person, sessions.get(person.id) ?? 0))
    .sort((a, b) => (b.lastSeenAt ?? 0) - (a.lastSeenAt ?? 0) || (a.name < b.name ? -1 : 1))
    .slice(0, SHOWN_MAX);
  return { at: await now(), users };
}

/** @throws RedriveError FORBIDDEN | REAUTHENTICATION_REQUIRED | USER_NOT_FOUND | VALIDATION */
export async function changeUserAccess(
  principal: Principal,
  id: string,
  change: UserAccessChange,
  by: Actor,
): Promise<UserView> {
  requireAccessManagement(principal);
  const { users, sessions } = getBroker().access;
  const known = await users.get(id);
  if (known.seen === null && known.grants === null && known.disabled === null && localUserOf(id) === null)
    throw new RedriveError(
      'USER_NOT_FOUND',
      'There is no such user. Users of the identity provider are listed after their first sign-in.',
      { fields: [{ field: 'id', message: 'names no person' }] },
    );
  if (wayOf(known) === 'link')
    throw new RedriveError(
      'VALIDATION',
      'The user of the one-time link always has full access. Configure users, and remove link from AUTH.',
      { fields: [{ field: 'id', message: 'cannot be changed' }] },
    );
  if (isRemoved(known))
    throw new RedriveError(
      'VALIDATION',
      'This user was removed and cannot sign in; their tokens are not valid. Adding the name again with npm run user creates a new user.',
      { fields: [{ field: 'id', message: 'names a removed user' }] },
    );
  const { grants, disabled } = change;
  await users.change(
    id,
    { ...(grants === undefined ? {} : { grants }), ...(disabled === undefined ? {} : { disabled }) },
    by,
    nameOf(known),
  );
  const [changed, open] = [await users.get(id), await sessions.list(id, ALL)];
  return viewOf(changed, open.length);
}

function viewOf(person: Stored, sessions: number): UserView {
  const method = wayOf(person);
  const { id, seen, disabled } = person;
  // Of a disabled user the grants without the block are shown.
  const rights = rightsOf({ ...person, disabled: null }, method);
  return {
    id,
    name: nameOf(person),
    method,
    groups: [...(seen?.groups ?? [])],
    grants: [...(rights?.grants ?? [])],
    grantsFrom: rights?.from ?? (method === 'oidc' ? 'groups' : 'file'),
    disabled,
    removed: isRemoved(person),
    firstSeenAt: seen?.firstSeenAt ?? null,
    lastSeenAt: seen?.lastSeenAt ?? null,
    sessions,
  };
}

const nameOf = ({ id, seen }: Stored): string =>
  localUserOf(id)?.user.name ?? seen?.name ?? id.slice(id.lastIndexOf(':') + 1);

/** Removed users stay listed with their records: a new user with the name is another one. */
const isRemoved = (person: Stored): boolean => {
  const method = wayOf(person);
  return (
    (method === 'local' && localUserOf(person.id) === null) ||
    (method === 'oidc' && !isOfThisProvider(person.id))
  );
};

/** Ids begin with it: see lib/contract/access/access-schemas.ts. */
function wayOf({ id, seen }: Stored): SignInMethod {
  if (seen) return seen.method;
  if (id === 'link') return 'link';
  return id.startsWith('oidc:') ? 'oidc' : 'local';
}
