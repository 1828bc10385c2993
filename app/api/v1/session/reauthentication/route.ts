import { accessRoutes } from '@/lib/contract/api/access-routes';
import { reauthenticateByPassword } from '@/lib/server/authentication/password-sign-in';
import { jsonResponse, refuseMethods, route } from '@/lib/server/routes/api-route';

/** Says once more who one is: destructive actions then ask no more for a while, and the session has a new cookie. */
export const POST = route(accessRoutes.reauthenticate, {
  rate: 'sign-in',
  handle: async ({ body, principal, request, requestId }) => {
    const visit = { request, requestId };
    const { reauthenticatedUntil, cookie } = await reauthenticateByPassword(visit, principal, body.password);
    const response = jsonResponse({ reauthenticatedUntil }, 200, requestId);
    response.headers.append('set-cookie', cookie);
    return response;
  },
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
