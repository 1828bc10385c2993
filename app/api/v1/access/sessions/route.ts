import { accessRoutes } from '@/lib/contract/api/access-routes';
import { endOtherSessions, listSessions } from '@/lib/server/access/manage-sessions';
import { requestActor } from '@/lib/server/authorized-broker/request-context';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(accessRoutes.listSessions, {
  handle: ({ principal, query }) => listSessions(principal, query.all === '1'),
});

export const DELETE = route(accessRoutes.endOtherSessions, {
  changesRights: true,
  // Exempt from the user's rate limit, so that an attacker cannot block it. The number of sessions and tokens bounds the calls.
  records: false,
  handle: (input) => endOtherSessions(input.principal, requestActor(input, input.body)),
});

export const { POST, PUT, PATCH } = refuseMethods('GET', 'DELETE');
