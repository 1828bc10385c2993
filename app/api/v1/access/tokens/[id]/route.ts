import { actionRequestSchema } from '@/lib/contract/api';
import { accessIdParams } from '@/lib/server/access/params';
import { revokeToken } from '@/lib/server/access/tokens';
import { actor } from '@/lib/server/guarded/caller';
import { refuseMethods, route } from '@/lib/server/route';

export const DELETE = route({
  permission: 'signed-in',
  changesRights: true,
  params: accessIdParams,
  body: actionRequestSchema,
  handle: (input) => revokeToken(input.principal, input.params.id, actor(input, input.body)),
});

export const { GET, POST, PUT, PATCH } = refuseMethods('DELETE');
