import { accessRoutes } from '@/lib/contract/api/access-routes';
import { endOtherSessions, listSessions } from '@/lib/server/authentication/manage-sessions';
import { requestActor } from '@/lib/server/authorization/authorized-broker/request-context';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const GET = route(accessRoutes.listSessions, {
  handle: ({ principal, query }) => listSessions(principal, query.all === '1'),
});

export const DELETE = route(accessRoutes.endOtherSessions, {
  changesRights: true,
  // Bounded by how many there are; and who uses up somebody's share must not keep them from shutting the door.
  records: false,
  handle: (input) => endOtherSessions(input.principal, requestActor(input, input.body)),
});

export const { POST, PUT, PATCH } = refuseMethods('GET', 'DELETE');
