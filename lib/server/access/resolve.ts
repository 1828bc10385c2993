/** Who a request is from. AUTH=none: whoever sits at this machine, under the name they gave, may do everything. */
import { EVERYTHING } from '@/lib/contract/permissions';
import { personOf } from '../person';
import type { Principal } from './principal';

/** @throws RedriveError UNAUTHENTICATED */
export async function resolvePrincipal(request: Request): Promise<Principal> {
  const { name, chosen } = personOf(request);
  return {
    id: 'none',
    name,
    chosen,
    way: 'none',
    grants: [EVERYTHING],
    via: null,
    address: '127.0.0.1',
    provedUntil: null,
    expiresAt: null,
  };
}
