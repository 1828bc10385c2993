/**
 * What a person may do at this moment: what was given to them here, else what the file of users says, else what their groups do. Asked
 * anew with every request, so that whatever was taken away is gone with the next one.
 */
import type { PersonView, WayIn } from '@/lib/contract/access';
import { EVERYTHING, type Grant } from '@/lib/contract/permissions';
import { localUserOf } from './local-users';
import { grantsOfGroups } from './oidc-grants';
import { isOfThisProvider } from './oidc-person';
import { hasWay } from './ways';

export interface Rights {
  readonly grants: readonly Grant[];
  readonly from: PersonView['grantsFrom'];
}

/** What the store knows of a person, as far as their rights depend on it. */
export interface Known {
  readonly id: string;
  readonly seen: { readonly groups: readonly string[] } | null;
  readonly grants: readonly Grant[] | null;
  readonly disabled: object | null;
}

/** Null: they are not let in at all. */
export function rightsOf(person: Known, way: WayIn): Rights | null {
  if (person.disabled !== null || way === 'token' || !hasWay(way)) return null;
  // Whoever has this machine has its console: nothing given or taken in it would change that.
  if (way === 'none' || way === 'link') return { grants: EVERYTHING, from: 'fixed' };
  const local = way === 'local' ? localUserOf(person.id) : null;
  if (way === 'local' && local === null) return null;
  if (way === 'oidc' && !isOfThisProvider(person.id)) return null;
  if (person.grants !== null) return { grants: person.grants, from: 'console' };
  if (local !== null) return { grants: local.user.grants, from: 'file' };
  return { grants: grantsOfGroups(person.seen?.groups ?? []), from: 'groups' };
}
