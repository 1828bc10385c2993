/** Access in words; pure. */
import type { PersonView, TokenView, WayIn } from '@/lib/contract/access';
import {
  type Grant,
  PERMISSION_HINTS,
  PERMISSIONS,
  type Permission,
  ROLES,
  type Role,
} from '@/lib/contract/permissions';

const WAYS: Readonly<Record<WayIn, string>> = {
  none: 'not asked',
  link: 'one-time link',
  local: 'password',
  oidc: 'single sign-on',
  token: 'API token',
};
export const wayWords = (way: WayIn): string => WAYS[way];

export const FROM_WORDS: Readonly<Record<PersonView['grantsFrom'], { word: string; meaning: string }>> = {
  console: { word: 'console', meaning: 'Given here. It counts in place of what the file or the groups say.' },
  file: { word: 'file', meaning: 'From the file of users, REDRIVE_USERS_FILE or REDRIVE_USERS.' },
  groups: {
    word: 'groups',
    meaning: 'From the groups of the identity provider, by OIDC_GRANTS, as of the last sign-in.',
  },
  fixed: { word: 'fixed', meaning: 'Goes with this way in, and cannot be changed.' },
};

/** Why a token is not in force although it has not expired. */
export const TOKEN_END_WORDS: Readonly<
  Record<NonNullable<TokenView['endedBy']>, { word: string; meaning: string }>
> = {
  'owner-removed': { word: 'owner removed', meaning: 'Its owner is no user of this console any more.' },
  'password-changed': {
    word: 'ended',
    meaning: 'Its owner changed their password, and had their API tokens end with it.',
  },
};

/** What grants go back to when those given here are taken away. */
export const originWords = (way: WayIn): string =>
  way === 'oidc' ? 'what the groups say' : 'what the file of users says';

/** What a role may do, as a sentence. */
export function roleHint(role: Role): string {
  const held: readonly Permission[] = ROLES[role];
  if (held.length === PERMISSIONS.length) return 'May do everything, also decide who may do what.';
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
