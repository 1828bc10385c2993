import { accessRoutes } from '@/lib/contract/api/access-routes';
import { signOut } from '@/lib/server/access/sign-out';
import { signInByPassword } from '@/lib/server/authentication/password-sign-in';
import { clearedCookie } from '@/lib/server/authentication/session-cookie';
import { jsonResponse, refuseMethods, route } from '@/lib/server/routes/api-route';

/** Signs in by name and password. */
export const POST = route(accessRoutes.signIn, {
  rate: 'sign-in',
  handle: async ({ body, request, requestId }) => {
    const { signedIn, cookie } = await signInByPassword({ request, requestId }, body);
    const response = jsonResponse(signedIn, 200, requestId);
    response.headers.append('set-cookie', cookie);
    return response;
  },
});

/** Signs out. Open to all, so that a browser whose session is over gets rid of its cookie, too. */
export const DELETE = route(accessRoutes.signOut, {
  rate: 'sign-in',
  handle: async ({ request, requestId }) => {
    const { ended, provider } = await signOut({ request, requestId });
    const response = jsonResponse({ ended, continueAt: provider?.location ?? null }, 200, requestId);
    response.headers.append('set-cookie', clearedCookie());
    if (provider) response.headers.append('set-cookie', provider.cookie);
    return response;
  },
});

export const { GET, PUT, PATCH } = refuseMethods('POST', 'DELETE');
