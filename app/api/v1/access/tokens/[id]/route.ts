import { accessRoutes } from '@/lib/contract/api/access-routes';
import { revokeToken } from '@/lib/server/access/api-tokens';
import { requestActor } from '@/lib/server/authorized-broker/request-context';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const DELETE = route(accessRoutes.revokeToken, {
  changesRights: true,
  // Exempt from the user's rate limit, so that an attacker cannot block it. The number of sessions and tokens bounds the calls.
  records: false,
  handle: (input) => revokeToken(input.principal, input.params.id, requestActor(input, input.body)),
});

export const { GET, POST, PUT, PATCH } = refuseMethods('DELETE');
