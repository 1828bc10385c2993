import { userAccessChangeSchema } from '@/lib/contract/access/access-schemas';
import { changeUserAccess } from '@/lib/server/authentication/users/user-access';
import { requestActor } from '@/lib/server/authorization/authorized-broker/request-context';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { personIdParams } from '@/lib/server/http/path-params';

export const PATCH = route({
  permission: 'signed-in',
  changesRights: true,
  params: personIdParams,
  body: userAccessChangeSchema,
  handle: (input) =>
    changeUserAccess(input.principal, input.params.id, input.body, requestActor(input, input.body)),
});

export const { GET, POST, PUT, DELETE } = refuseMethods('PATCH');
