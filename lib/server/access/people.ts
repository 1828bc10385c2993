/** The people of this console for those who decide what they may do: who was here, who could come, and what each may do now. */
import type { Actor, Broker } from '@/lib/broker';
import type { PersonAccessChange, PersonView, WayIn } from '@/lib/contract/access';
import { RedriveError } from '@/lib/contract/errors';
import { getBroker } from '../broker';
import { localUserOf, localUsers } from './local-users';
import { needToManage, needToSee } from './manage';
import { isOfThisProvider } from './oidc-person';
import type { Principal } from './principal';
import { rightsOf } from './rights';

/** Of those who are shown. Whoever was here last comes first. */
const SHOWN_MAX = 2_000;
const ALL = 1_000_000;
type Stored = Awaited<ReturnType<Broker['access']['people']['get']>>;

/** @throws RedriveError FORBIDDEN */
export async function listPeople(principal: Principal): Promise<{ at: number; people: PersonView[] }> {
  needToSee(principal);
  const { access, now } = getBroker();
  const stored = new Map((await access.people.list()).map((person) => [person.id, person]));
  // Users of the file who were never here: they could be, tomorrow.
  for (const { personId: id } of localUsers())
    if (!stored.has(id)) stored.set(id, { id, seen: null, grants: null, disabled: null });
  const sessions = new Map<string, number>();
  for (const { personId } of await access.sessions.list(null, ALL))
    sessions.set(personId, (sessions.get(personId) ?? 0) + 1);
  const people = [...stored.values()]
    .map((person) => viewOf(person, sessions.get(person.id) ?? 0))
    .sort((a, b) => (b.lastSeenAt ?? 0) - (a.lastSeenAt ?? 0) || (a.name < b.name ? -1 : 1))
    .slice(0, SHOWN_MAX);
  return { at: await now(), people };
}

/** @throws RedriveError FORBIDDEN | PROOF_NEEDED | PERSON_NOT_FOUND | VALIDATION */
export async function changePerson(
  principal: Principal,
  id: string,
  change: PersonAccessChange,
  by: Actor,
): Promise<PersonView> {
  needToManage(principal);
  const { people, sessions } = getBroker().access;
  const known = await people.get(id);
  if (known.seen === null && known.grants === null && known.disabled === null && localUserOf(id) === null)
    throw new RedriveError(
      'PERSON_NOT_FOUND',
      'There is no such person. Somebody of the identity provider is known here once they have signed in.',
      { fields: [{ field: 'id', message: 'names no person' }] },
    );
  if (wayOf(known) === 'link')
    throw new RedriveError(
      'VALIDATION',
      'Whoever uses the one-time link of this machine may do everything. Configure users, and take link out of AUTH.',
      { fields: [{ field: 'id', message: 'cannot be changed' }] },
    );
  if (isRemoved(known))
    throw new RedriveError(
      'VALIDATION',
      'This user was removed: they cannot sign in, and their tokens are not in force. Add them again with npm run user; they are then a new user.',
      { fields: [{ field: 'id', message: 'names a removed user' }] },
    );
  const { grants, disabled } = change;
  await people.change(
    id,
    { ...(grants === undefined ? {} : { grants }), ...(disabled === undefined ? {} : { disabled }) },
    by,
    nameOf(known),
  );
  const [changed, open] = [await people.get(id), await sessions.list(id, ALL)];
  return viewOf(changed, open.length);
}

function viewOf(person: Stored, sessions: number): PersonView {
  const way = wayOf(person);
  const { id, seen, disabled } = person;
  // Of those who are not let in just now it is shown what they could do if they were.
  const rights = rightsOf({ ...person, disabled: null }, way);
  return {
    id,
    name: nameOf(person),
    way,
    groups: [...(seen?.groups ?? [])],
    grants: [...(rights?.grants ?? [])],
    grantsFrom: rights?.from ?? (way === 'oidc' ? 'groups' : 'file'),
    disabled,
    removed: isRemoved(person),
    firstSeenAt: seen?.firstSeenAt ?? null,
    lastSeenAt: seen?.lastSeenAt ?? null,
    sessions,
  };
}

const nameOf = ({ id, seen }: Stored): string =>
  localUserOf(id)?.user.name ?? seen?.name ?? id.slice(id.lastIndexOf(':') + 1);

/** They stay listed, with their records: a newcomer of the name is somebody else. */
const isRemoved = (person: Stored): boolean => {
  const way = wayOf(person);
  return (
    (way === 'local' && localUserOf(person.id) === null) || (way === 'oidc' && !isOfThisProvider(person.id))
  );
};

/** Ids begin with it: see lib/contract/access.ts. */
function wayOf({ id, seen }: Stored): WayIn {
  if (seen) return seen.way;
  if (id === 'link') return 'link';
  return id.startsWith('oidc:') ? 'oidc' : 'local';
}
