/** Who is asking, as they may know it of themselves. */
import type { Me } from '@/lib/contract/access';
import { passwordChangeOf } from './password-change';
import { type Principal, permissionsOf } from './principal';

export const meOf = (principal: Principal): Me => ({
  id: principal.id,
  name: principal.name,
  chosen: principal.chosen,
  way: principal.way,
  // A token's own. What its owner may not, it may not either: `permissions` counts both.
  grants: [...(principal.grants[0] ?? [])],
  permissions: permissionsOf(principal),
  provedUntil: principal.provedUntil,
  proof: principal.way === 'local' ? 'password' : principal.way === 'oidc' ? 'oidc' : 'none',
  passwordChange: passwordChangeOf(principal),
  sessionId: principal.way === 'token' ? null : principal.via,
  expiresAt: principal.expiresAt,
});
