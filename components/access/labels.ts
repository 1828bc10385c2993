/** Labels of the access page; pure. */

import type { SignInMethod } from '@/lib/contract/access/access-limits';
import type { TokenView, UserView } from '@/lib/contract/access/access-schemas';
import {
  type Grant,
  PERMISSION_HINTS,
  PERMISSIONS,
  type Permission,
  ROLES,
  type Role,
} from '@/lib/contract/access/grant-scopes';

export const GRANT_SOURCE_LABELS: Readonly<
  Record<UserView['grantsFrom'], { word: string; meaning: string }>
> = {
  console: { word: 'console', meaning: 'Set in the console. Overrides the users file or the groups.' },
  file: { word: 'file', meaning: 'From the users file (REDRIVE_USERS_FILE or REDRIVE_USERS).' },
  groups: {
    word: 'groups',
    meaning: "From the identity provider's groups (OIDC_GRANTS) at the last sign-in.",
  },
  fixed: { word: 'fixed', meaning: 'Fixed for this sign-in method. Cannot be changed.' },
};

/** Why a token ended before it expired. */
export const TOKEN_END_LABELS: Readonly<
  Record<NonNullable<TokenView['endedBy']>, { word: string; meaning: string }>
> = {
  'owner-removed': { word: 'owner removed', meaning: 'Its owner is no longer a user of this console.' },
  'password-changed': {
    word: 'ended',
    meaning: 'Its owner changed their password and revoked their API tokens.',
  },
};

/** Where the grants come from after a reset. */
export const grantOriginLabel = (method: SignInMethod): string =>
  method === 'oidc' ? 'the identity provider groups' : 'the users file';

/** The permissions of a role as a sentence. */
export function roleHint(role: Role): string {
  const held: readonly Permission[] = ROLES[role];
  if (held.length === PERMISSIONS.length) return 'All permissions, including access management.';
  return `May ${held.map((permission) => PERMISSION_HINTS[permission]).join('; ')}.`;
}

export const ROLE_LABELS: Readonly<Record<Role, string>> = {
  viewer: 'viewer',
  operator: 'operator',
  admin: 'admin',
  producer: 'producer (for programs)',
  worker: 'worker (for programs)',
};

export const sameGrants = (one: readonly Grant[], other: readonly Grant[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
