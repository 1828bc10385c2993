import { actionRequestSchema } from '@/lib/contract/api';
import { allQuery } from '@/lib/server/access/params';
import { endOtherSessions, listSessions } from '@/lib/server/access/sessions';
import { actor } from '@/lib/server/guarded/caller';
import { refuseMethods, route } from '@/lib/server/route';

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
  handle: (input) => endOtherSessions(input.principal, actor(input, input.body)),
});

export const { POST, PUT, PATCH } = refuseMethods('GET', 'DELETE');
