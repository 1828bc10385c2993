/** The user of the identity provider, and the grants of their groups as OIDC_GRANTS says. */
import { createHash } from 'node:crypto';
import { GRANTS_MAX, type Grant } from '@/lib/contract/access/grant-scopes';
import { userNameSchema } from '@/lib/contract/access/user-name';
import { readEnv } from '@/lib/server/environment';

/** A subject is unique at its own provider only. */
const prefix = (): string =>
  `oidc:${createHash('sha256')
    .update(readEnv(process.env).OIDC_ISSUER ?? '')
    .digest('hex')
    .slice(0, 12)}:`;

export const oidcIdOf = (subject: string): string => `${prefix()}${subject}`;
/** False: the user belongs to another provider than the configured one. */
export const isOfThisProvider = (userId: string): boolean => userId.startsWith(prefix());

/** The user's subject; null: of another provider. */
export const subjectOf = (userId: string): string | null =>
  isOfThisProvider(userId) ? userId.slice(prefix().length) : null;

/** OpenID Connect allows 255 characters; ids here are shorter, since every change record contains one. */
const SUBJECT = /^[\x21-\x7e]{1,180}$/;

export interface OidcUser {
  readonly id: string;
  readonly name: string;
  readonly groups: string[];
}

/** Null: the subject cannot be an id here. */
export function userFromClaims(claims: Record<string, unknown>, groupsClaim: string): OidcUser | null {
  const { sub } = claims;
  if (typeof sub !== 'string' || !SUBJECT.test(sub)) return null;
  const names = [claims.name, claims.preferred_username, claims.email, sub];
  // The first valid user name: reserved names and invisible characters are not.
  const name = names.map((text) => userNameSchema.safeParse(text)).find((parsed) => parsed.success)?.data;
  return { id: oidcIdOf(sub), name: name ?? 'unnamed', groups: groupsIn(claimAt(claims, groupsClaim)) };
}

/** Stored groups of a user; groups with grants come first. */
export const GROUPS_MAX = 200;
const GROUP_MAX_CHARS = 200;

const grantsOf = (group: string): readonly Grant[] => {
  const { OIDC_GRANTS } = readEnv(process.env);
  // A group may be called like anything, `constructor` included.
  return Object.hasOwn(OIDC_GRANTS, group) ? (OIDC_GRANTS[group] ?? []) : [];
};

/** Without duplicates, at most as many as a user may have. */
export function grantsOfGroups(groups: readonly string[]): Grant[] {
  const grants = new Map(groups.flatMap(grantsOf).map((grant) => [JSON.stringify(grant), grant]));
  return [...grants.values()].slice(0, GRANTS_MAX);
}

/** A claim by its name, or by a path into objects such as `realm_access.roles`. */
export function claimAt(claims: Record<string, unknown>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  const step = (at: unknown, name: string): unknown =>
    typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined;
  return path.split('.').reduce(step, claims);
}

/** The claim as a provider sends it: a name, or a list of names. Anything else in it is left out. */
export function groupsIn(claim: unknown): string[] {
  const list: unknown[] = Array.isArray(claim) ? claim : [claim];
  const names = new Set(
    list.filter(
      (name): name is string => typeof name === 'string' && name !== '' && name.length <= GROUP_MAX_CHARS,
    ),
  );
  const granting = [...names].filter((name) => grantsOf(name).length > 0);
  return [...granting, ...[...names].filter((name) => grantsOf(name).length === 0)].slice(0, GROUPS_MAX);
}
