import { accessRoutes } from '@/lib/contract/api/access-routes';
import { changePassword } from '@/lib/server/authentication/users/password-change';
import { jsonResponse, refuseMethods, route } from '@/lib/server/routes/api-route';

/** A user of this console changes their own password. Every other session of theirs ends, and this one has a new cookie. */
export const POST = route(accessRoutes.changePassword, {
  rate: 'sign-in',
  changesRights: true,
  handle: async ({ body, principal, request, requestId }) => {
    const { ended, cookie } = await changePassword({ request, requestId }, principal, body);
    const response = jsonResponse({ ended }, 200, requestId);
    response.headers.append('set-cookie', cookie);
    return response;
  },
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
