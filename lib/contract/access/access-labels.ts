/** Labels of sign-in methods and grants; pure. */
import type { SignInMethod } from './access-limits';
import type { Grant } from './grant-scopes';

const METHOD_LABELS: Readonly<Record<SignInMethod, string>> = {
  none: 'no sign-in',
  link: 'one-time link',
  local: 'password',
  oidc: 'single sign-on',
  token: 'API token',
};
export const methodLabel = (method: SignInMethod): string => METHOD_LABELS[method];

const SHOWN = 3;
const listed = (names: readonly string[], noun: string): string =>
  names.length <= SHOWN ? names.join(', ') : `${names.length} ${noun}`;

/** "operator of billing-*, tenants acme, globex"; `whole` leaves out no name. */
export function describeGrant({ role, queues, tenants }: Grant, whole = false): string {
  const list = whole ? (names: readonly string[]) => names.join(', ') : listed;
  const of = queues.includes('*') ? '' : ` of ${list(queues, 'queues')}`;
  return tenants === null
    ? `${role}${of}`
    : `${role}${of}, tenant${tenants.length === 1 ? '' : 's'} ${list(tenants, 'of them')}`;
}

/** "admin"; "operator of billing-*; viewer, tenants acme, globex". */
export const describeGrants = (grants: readonly Grant[]): string =>
  grants.length === 0 ? 'none' : grants.map((grant) => describeGrant(grant)).join('; ');
