/**
 * A user's present grants: from the console, else from the users file, else from their groups. Read with every request, so that a revoked
 * grant is gone with the next one.
 */

import type { SignInMethod } from '@/lib/contract/access/access-limits';
import type { UserView } from '@/lib/contract/access/access-schemas';
import { ADMIN_GRANTS, type Grant } from '@/lib/contract/access/grant-scopes';
import { grantsOfGroups, isOfThisProvider } from './identity-provider/oidc-user';
import { hasSignInMethod } from './sign-in-methods';
import { localUserOf } from './users/local-users';

export interface Rights {
  readonly grants: readonly Grant[];
  readonly from: UserView['grantsFrom'];
}

/** The stored fields that a user's grants depend on. */
interface UserGrants {
  readonly id: string;
  readonly seen: { readonly groups: readonly string[] } | null;
  readonly grants: readonly Grant[] | null;
  readonly disabled: object | null;
}

/** Null: no access. */
export function rightsOf(person: UserGrants, method: SignInMethod): Rights | null {
  if (person.disabled !== null || method === 'token' || !hasSignInMethod(method)) return null;
  // A user of this machine controls its console, whatever grants are stored.
  if (method === 'none' || method === 'link') return { grants: ADMIN_GRANTS, from: 'fixed' };
  const local = method === 'local' ? localUserOf(person.id) : null;
  if (method === 'local' && local === null) return null;
  if (method === 'oidc' && !isOfThisProvider(person.id)) return null;
  if (person.grants !== null) return { grants: person.grants, from: 'console' };
  if (local !== null) return { grants: local.user.grants, from: 'file' };
  return { grants: grantsOfGroups(person.seen?.groups ?? []), from: 'groups' };
}
