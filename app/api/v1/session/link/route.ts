import { accessRoutes } from '@/lib/contract/api/access-routes';
import { signInByLink } from '@/lib/server/authentication/sign-in-link';
import { jsonResponse, refuseMethods, route } from '@/lib/server/routes/api-route';

/** Signs in by the one-time link that the console printed. */
export const POST = route(accessRoutes.signInByLink, {
  rate: 'sign-in',
  handle: async ({ body, request, requestId }) => {
    const { signedIn, cookie } = await signInByLink({ request, requestId }, body.code);
    const response = jsonResponse(signedIn, 200, requestId);
    response.headers.append('set-cookie', cookie);
    return response;
  },
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
