/** What the identity provider's groups may do here, as OIDC_GRANTS says. Asked with every request: a changed rule counts at once. */
import { GRANTS_MAX, type Grant } from '@/lib/contract/permissions';
import { readEnv } from '../env';

/** Of what is stored of a person. Groups with grants are kept first. */
export const GROUPS_MAX = 200;
const GROUP_MAX_CHARS = 200;

const grantsOf = (group: string): readonly Grant[] => {
  const { OIDC_GRANTS } = readEnv(process.env);
  // A group may be called like anything, `constructor` included.
  return Object.hasOwn(OIDC_GRANTS, group) ? (OIDC_GRANTS[group] ?? []) : [];
};

/** Each once, and at most as many as a person may hold. */
export function grantsOfGroups(groups: readonly string[]): Grant[] {
  const grants = new Map(groups.flatMap(grantsOf).map((grant) => [JSON.stringify(grant), grant]));
  return [...grants.values()].slice(0, GRANTS_MAX);
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
