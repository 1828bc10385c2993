/** Grants in words; pure. */
import type { Grant } from './permissions';

const SHOWN = 3;
const listed = (names: readonly string[], noun: string): string =>
  names.length <= SHOWN ? names.join(', ') : `${names.length} ${noun}`;

/** "operator of billing-*, tenants acme, globex"; `whole` leaves out no name. */
export function grantWords({ role, queues, tenants }: Grant, whole = false): string {
  const list = whole ? (names: readonly string[]) => names.join(', ') : listed;
  const of = queues.includes('*') ? '' : ` of ${list(queues, 'queues')}`;
  return tenants === null
    ? `${role}${of}`
    : `${role}${of}, tenant${tenants.length === 1 ? '' : 's'} ${list(tenants, 'of them')}`;
}

/** "admin"; "operator of billing-*; viewer, tenants acme, globex". */
export const rolesWords = (grants: readonly Grant[]): string =>
  grants.length === 0 ? 'none' : grants.map((grant) => grantWords(grant)).join('; ');
