import { actionRequestSchema } from '@/lib/contract/request-schemas';
import { endOtherSessions, listSessions } from '@/lib/server/authentication/manage-sessions';
import { requestActor } from '@/lib/server/authorization/authorized-broker/request-context';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { allQuery } from '@/lib/server/http/path-params';

export const GET = route({
  permission: 'signed-in',
  query: allQuery,
  handle: ({ principal, query }) => listSessions(principal, query.all === '1'),
});

export const DELETE = route({
  permission: 'signed-in',
  changesRights: true,
  // Bounded by how many there are; and who uses up somebody's share must not keep them from shutting the door.
  records: false,
  body: actionRequestSchema,
  handle: (input) => endOtherSessions(input.principal, requestActor(input, input.body)),
});

export const { POST, PUT, PATCH } = refuseMethods('GET', 'DELETE');
