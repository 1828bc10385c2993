import { actionRequestSchema } from '@/lib/contract/api';
import { accessIdParams } from '@/lib/server/access/params';
import { endSession } from '@/lib/server/access/sessions';
import { actor } from '@/lib/server/guarded/caller';
import { refuseMethods, route } from '@/lib/server/route';

export const DELETE = route({
  permission: 'signed-in',
  changesRights: true,
  // Bounded by how many there are; and who uses up somebody's share must not keep them from shutting the door.
  records: false,
  params: accessIdParams,
  body: actionRequestSchema,
  handle: (input) => endSession(input.principal, input.params.id, actor(input, input.body)),
});

export const { GET, POST, PUT, PATCH } = refuseMethods('DELETE');
