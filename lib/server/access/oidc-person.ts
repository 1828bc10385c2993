/** Who the identity provider says somebody is, cut to what is kept of a person. */
import { personNameSchema } from '@/lib/contract/person';
import { groupsIn } from './oidc-grants';

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
  return { id: `oidc:${sub}`, name: name ?? 'unnamed', groups: groupsIn(claims[groupsClaim]) };
}
