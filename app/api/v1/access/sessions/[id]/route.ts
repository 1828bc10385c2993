import { actionRequestSchema } from '@/lib/contract/request-schemas';
import { endSession } from '@/lib/server/authentication/manage-sessions';
import { requestActor } from '@/lib/server/authorization/authorized-broker/request-context';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { accessIdParams } from '@/lib/server/http/path-params';

export const DELETE = route({
  permission: 'signed-in',
  changesRights: true,
  // Bounded by how many there are; and who uses up somebody's share must not keep them from shutting the door.
  records: false,
  params: accessIdParams,
  body: actionRequestSchema,
  handle: (input) => endSession(input.principal, input.params.id, requestActor(input, input.body)),
});

export const { GET, POST, PUT, PATCH } = refuseMethods('DELETE');
