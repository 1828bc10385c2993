/** GET /api/v1/me: the principal as its user may see it. */
import type { Me } from '@/lib/contract/access/access-schemas';
import type { TableSettings } from '@/lib/format/column-settings';
import { type Principal, permissionsOf } from '../authentication/principal';
import { passwordChangeOf } from '../authentication/users/password-change';

export const meOf = (principal: Principal, tables: TableSettings | null): Me => ({
  id: principal.id,
  name: principal.name,
  chosen: principal.chosen,
  method: principal.method,
  // Of a token: its own grants. `permissions` considers the owner's, too.
  grants: [...(principal.grants[0] ?? [])],
  permissions: permissionsOf(principal),
  reauthenticatedUntil: principal.reauthenticatedUntil,
  reauthentication: principal.method === 'local' ? 'password' : principal.method === 'oidc' ? 'oidc' : 'none',
  passwordChange: passwordChangeOf(principal),
  sessionId: principal.method === 'token' ? null : principal.via,
  expiresAt: principal.expiresAt,
  tables,
});
