import { accessRoutes } from '@/lib/contract/api/access-routes';
import { revokeToken } from '@/lib/server/authentication/api-tokens';
import { requestActor } from '@/lib/server/authorization/authorized-broker/request-context';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const DELETE = route(accessRoutes.revokeToken, {
  changesRights: true,
  // Bounded by how many there are; and who uses up somebody's share must not keep them from shutting the door.
  records: false,
  handle: (input) => revokeToken(input.principal, input.params.id, requestActor(input, input.body)),
});

export const { GET, POST, PUT, PATCH } = refuseMethods('DELETE');
