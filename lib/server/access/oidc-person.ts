/** Who the identity provider says somebody is, cut to what is kept of a person. */
import { createHash } from 'node:crypto';
import { personNameSchema } from '@/lib/contract/person';
import { readEnv } from '../env';
import { groupsIn } from './oidc-grants';

/** A subject says who somebody is at its own provider only: another one may give the same to somebody else. */
const prefix = (): string =>
  `oidc:${createHash('sha256')
    .update(readEnv(process.env).OIDC_ISSUER ?? '')
    .digest('hex')
    .slice(0, 12)}:`;

export const oidcIdOf = (subject: string): string => `${prefix()}${subject}`;
/** False: they came by a provider that this console does not ask any more. */
export const isOfThisProvider = (personId: string): boolean => personId.startsWith(prefix());

/** What the provider calls them; null: they are not of this one. */
export const subjectOf = (personId: string): string | null =>
  isOfThisProvider(personId) ? personId.slice(prefix().length) : null;

/** By OpenID Connect a subject has at most 255 letters; ids of persons are kept in records of every change. */
const SUBJECT = /^[\x21-\x7e]{1,180}$/;

export interface OidcPerson {
  readonly id: string;
  readonly name: string;
  readonly groups: string[];
}

/** Null: the subject cannot be an id here. */
export function personIn(claims: Record<string, unknown>, groupsClaim: string): OidcPerson | null {
  const { sub } = claims;
  if (typeof sub !== 'string' || !SUBJECT.test(sub)) return null;
  const names = [claims.name, claims.preferred_username, claims.email, sub];
  // The first that may stand for a person: one that looks like Redrive's own, or holds what cannot be seen, may not.
  const name = names.map((text) => personNameSchema.safeParse(text)).find((parsed) => parsed.success)?.data;
  return { id: oidcIdOf(sub), name: name ?? 'unnamed', groups: groupsIn(claims[groupsClaim]) };
}
