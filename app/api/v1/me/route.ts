import { accessRoutes } from '@/lib/contract/api/access-routes';
import { RedriveError } from '@/lib/contract/redrive-error';
import { meOf } from '@/lib/server/access/current-user';
import { localNameCookie } from '@/lib/server/authentication/local-name';
import { jsonResponse, refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(accessRoutes.getMe, {
  handle: async ({ principal, broker }) => meOf(principal, await broker.tables.get()),
});

export const PUT = route(accessRoutes.setMyName, {
  handle: async ({ principal, broker, body, requestId }) => {
    if (principal.method !== 'none')
      throw new RedriveError(
        'FORBIDDEN',
        'Your name comes from your account. It can be changed only with AUTH=none.',
        { fields: [{ field: 'name', message: 'cannot be chosen' }] },
      );
    const renamed = { ...principal, name: body.name, chosen: true };
    const me = meOf(renamed, await broker.tables.get(renamed));
    const response = jsonResponse(me, 200, requestId);
    response.headers.append('set-cookie', localNameCookie(body.name));
    return response;
  },
});

export const { POST, PATCH, DELETE } = refuseMethods('GET', 'PUT');
