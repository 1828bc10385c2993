import { actionRequestSchema } from '@/lib/contract/api';
import { accessIdParams } from '@/lib/server/access/params';
import { actorOf } from '@/lib/server/access/principal';
import { revokeToken } from '@/lib/server/access/tokens';
import { route } from '@/lib/server/route';

export const DELETE = route({
  permission: 'signed-in',
  changesRights: true,
  params: accessIdParams,
  body: actionRequestSchema,
  handle: (input) => revokeToken(input.principal, input.params.id, actorOf(input)),
});
