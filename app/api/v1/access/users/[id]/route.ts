import { accessRoutes } from '@/lib/contract/api/access-routes';
import { changeUserAccess } from '@/lib/server/access/user-access';
import { requestActor } from '@/lib/server/authorized-broker/request-context';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const PATCH = route(accessRoutes.changeUser, {
  changesRights: true,
  handle: (input) =>
    changeUserAccess(input.principal, input.params.id, input.body, requestActor(input, input.body)),
});

export const { GET, POST, PUT, DELETE } = refuseMethods('PATCH');
